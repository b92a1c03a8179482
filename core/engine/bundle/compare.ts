import { type ProvenanceChange, TierName } from '../schema/bundle-report.ts'
import type { StepBar } from '../schema/bundle-wire.ts'
import type { ProvenanceRecord } from '../schema/bundle.ts'
import { TIER_WORDS } from './report.ts'

/** [A6] Which files changed since the run before, in the order of this run, then those that are gone. */
export function compareProvenance(
  before: readonly ProvenanceRecord[],
  after: readonly ProvenanceRecord[],
): readonly ProvenanceChange[] {
  const old = new Map(before.map(({ path, sha256 }) => [path, sha256]))
  const now = new Set(after.map(({ path }) => path))
  const kept = after.map(({ path, sha256 }): ProvenanceChange => {
    const was = old.get(path) ?? null
    const change = was === null ? 'new' : was === sha256 ? 'same' : 'changed'
    return { path, change, before: was, after: sha256 }
  })
  const gone = before.filter(({ path }) => !now.has(path))
  return [
    ...kept,
    ...gone.map(({ path, sha256 }): ProvenanceChange => ({
      path,
      change: 'gone',
      before: sha256,
      after: null,
    })),
  ]
}

/** One step of a session, as the sentences below need it. `label`: "3", "3 (second run)", "Chapter 13". */
export type MeasuredStep = Pick<StepBar, 'label' | 'cut' | 'tier0OverContext' | 'measures'>

/**
 * [A10] Explains the counts in words: where text was left out, and where a tier fits its budget only because of the
 * token estimator.
 */
export function overflowWords(
  steps: readonly MeasuredStep[],
  estimator: string,
): readonly string[] {
  const words: string[] = []
  const say = (what: string, which: (step: MeasuredStep) => boolean) => {
    const labels = steps.filter(which).map(({ label }) => label)
    if (labels.length > 0) words.push(`${what} at ${stepList(labels)}`)
  }
  say('tier 0 alone does not fit', ({ tier0OverContext }) => tier0OverContext)
  for (const tier of TierName.options)
    say(`${TIER_WORDS[tier]} is cut`, ({ cut }) => cut.includes(tier))
  const real = (step: MeasuredStep) => step.measures.find((each) => each.estimator === 'o200k_base')
  const counted = (step: MeasuredStep) => step.measures.find((each) => each.estimator === estimator)
  if (estimator !== 'o200k_base') {
    for (const tier of TierName.options)
      say(
        `${TIER_WORDS[tier]} really overflows`,
        (step) =>
          real(step)?.over.includes(tier) === true && counted(step)?.over.includes(tier) !== true,
      )
    say(
      'the prompt really exceeds the context',
      (step) => real(step)?.overContext === true && counted(step)?.overContext !== true,
    )
  }
  return words
}

/** "step 3", "steps 3 and 5", "steps 1, 3 and Chapter 13". */
function stepList(labels: readonly string[]): string {
  const last = labels.at(-1) ?? ''
  if (labels.length === 1) return last.startsWith('Chapter') ? last : `step ${last}`
  return `steps ${labels.slice(0, -1).join(', ')} and ${last}`
}
