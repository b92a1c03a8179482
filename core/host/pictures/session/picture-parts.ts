import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { barsOfMessages, barsOfSteps, type BudgetFacts } from '../../../engine/draw/budget.ts'
import type { About, Decided } from '../../../engine/draw/frame.ts'
import { redactText } from '../../../engine/redact/redact.ts'
import type { QueryColumns } from '../../../engine/schema/answer-columns.ts'
import type { StepBar } from '../../../engine/schema/bundle-wire.ts'
import type { Compared } from '../../../engine/schema/compare.ts'
import type { PictureTheme } from '../../../engine/schema/picture.ts'
import { DEFAULT_KINDS } from '../../../engine/schema/redaction.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'

/** Letters of the hash that a picture says. */
const HASH = 12

/** The name of a file of the workspace; of a path only its end: a picture names no place (U151). */
const plain = (name: string): string => basename(name).replace(/\.(?:ya?ml|json)$/u, '')

/** Suffix for the other side if it is not a plain configuration. */
function kindOf(compared: Compared): string {
  if (!('kind' in compared) || compared.kind === 'observed') return ''
  return compared.kind === 'draft' ? ', draft' : ` at ${compared.revision}`
}

/**
 * [U151] The configuration of a picture: file names, and a hash of their contents and of the kinds of turns. Equal
 * contents have equal hashes, regardless of path or operator.
 */
export function decidedBy(
  { config, preset, domains, profile }: ConfigFiles,
  compared: Compared = config,
): Decided {
  const contents = [preset, domains, profile].map((file) => file?.fingerprint ?? '')
  const { user, agent, tool } = config.classify ?? preset.value.belief.classify
  const all = JSON.stringify([...contents, user, agent, tool])
  return {
    preset: `${plain(config.preset)}${kindOf(compared)}`,
    domains: plain(config.domains),
    profile: config.profile === null ? null : plain(config.profile),
    hash: hash('sha256', all, 'hex').slice(0, HASH),
  }
}

/** The other side if it is the recording in the file. */
export const AS_IT_RAN: Decided = {
  preset: 'what was recorded when it ran',
  domains: '',
  profile: null,
  hash: null,
}

/** [U151] The titles of strangers leave the machine with the picture: they are redacted first. */
export function shownTitle(title: string): string {
  return redactText(title, { kinds: DEFAULT_KINDS })
}

interface Given {
  readonly title: string
  readonly theme: PictureTheme
  readonly side: Decided
  readonly against: Decided | null
}

export function aboutOf({ title, ...rest }: Given): About {
  return { title: shownTitle(title), ...rest }
}

/** Budgets of the pipeline steps of a session, or of the user messages if it has no steps. */
export function budgetFacts(
  about: About,
  steps: readonly StepBar[],
  queries: { readonly columns: QueryColumns; readonly estimator: string } | null,
): BudgetFacts {
  if (queries === null) {
    const bars = barsOfSteps(steps)
    const estimator = steps.find(({ problem }) => problem === null)?.estimator ?? ''
    return { ...about, bars, of: 'step', missing: steps.length - bars.length, estimator }
  }
  const { columns, estimator } = queries
  const bars = barsOfMessages(columns)
  return { ...about, bars, of: 'message', missing: columns.seq.length - bars.length, estimator }
}
