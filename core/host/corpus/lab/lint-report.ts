import type { ReadCorpus } from './read-corpus.ts'
import type { ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { type Finding, lintCorpus, lintStatic } from '../../../engine/lab/lint/lint.ts'
import { aboutFile } from '../../../engine/lab/lint/lint-finding.ts'
import { adviceSteps } from '../../../engine/lab/lint/lint-static.ts'
import type { Reach } from '../../../engine/schema/reach.ts'
import type { LintFinding } from '../../../engine/schema/lab.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CorpusWork } from './corpus-work.ts'
import type { Waiting } from '../waiting.ts'
import { learnShippedAdvice } from '../../automata/advice.ts'
import { reachSteps } from '../../drafts/reach-steps.ts'
import type { ResolvedSide } from '../../drafts/sides.ts'

/** Advice on hundreds of patterns takes seconds, so a thread that serves requests runs it step by step. */
type AdviceRun = (steps: ReturnType<typeof adviceSteps>) => Promise<unknown>

/** Runs to the end without a pause. */
const atOnce: AdviceRun = (steps) => {
  while (steps.next().done !== true);
  return Promise.resolve()
}

/** [T15] Findings about a configuration that need no session. */
export async function lintFiles(
  side: ResolvedSide,
  workspace: Workspace,
  run: AdviceRun = atOnce,
): Promise<readonly LintFinding[]> {
  if (side.text.value === null) return []
  const { options } = side.compiled.pipeline.belief.set
  learnShippedAdvice()
  await run(adviceSteps(side.text.value, options))
  const findings = lintStatic(
    side.text.value,
    side.compiled.pipeline,
    await others(side, workspace),
  )
  const unreachable: Finding[] = []
  await run(reachSteps(side, (found) => unreachable.push(...unreachableOf(found, findings))))
  return [...findings, ...unreachable].map((finding) => placed(finding, side))
}

const LEVELS: Readonly<Record<Reach['kind'], Finding['severity']>> = {
  signal: 'error',
  domain: 'warning',
  gate: 'warning',
  'tie-break': 'info',
  rule: 'info',
}

/** [K22] Findings about items that are proved unreachable, unless they are disabled or lint already reports them. */
function unreachableOf(found: readonly Reach[], said: readonly Finding[]): readonly Finding[] {
  const isSaid = (one: Reach) =>
    said.some(
      ({ rule, severity, domain, signal }) =>
        rule === 'cannot-match' &&
        severity === 'error' &&
        domain === one.domain &&
        signal === one.signal,
    )
  return found.flatMap((one): readonly Finding[] => {
    if (one.status !== 'never' || one.off || isSaid(one)) return []
    const what = `No message reaches ${one.kind === 'signal' ? 'it' : `the ${one.kind} ${one.name}`}: ${one.why}.`
    const finding = aboutFile('domains', one.domain, {
      rule: 'unreachable',
      severity: LEVELS[one.kind],
      what,
      do: 'Change it, or take it out.',
    })
    return [{ ...finding, signal: one.signal }]
  })
}

/** [T15] Lint findings that only a corpus shows. */
export async function lintScored(
  side: ResolvedSide,
  scored: ScoredCorpus,
  { labels, outcomes }: Pick<ReadCorpus, 'labels' | 'outcomes'>,
  { work, waiting }: { readonly work: CorpusWork; readonly waiting: Waiting },
): Promise<readonly LintFinding[]> {
  const guard = (run: () => void) => work.watch.guard(run, LARGEST_TEXT)
  const question = lintCorpus(scored, labels, { guard, rescore: work.rescore, outcomes })
  const findings = await work.run(question, waiting)
  return findings.map((finding) => placed(finding, side))
}

/** Lint looks at one text at a time; how large it is only makes the limit a little longer. */
const LARGEST_TEXT = 64 * 1024

/** Other domain files of the workspace: domains that only one of them has may be forgotten in the rest. */
async function others({ files }: ResolvedSide, workspace: Workspace) {
  const own = files.domains.file.path
  const listed = (await workspace.list('domains')).filter(({ path }) => path !== own)
  const loaded = await Promise.all(listed.map(({ name }) => workspace.domains(name)))
  const { kind } = files.domains.value
  // [K10] Skills and domains have nothing to do with each other.
  return loaded.flatMap((each) =>
    each.ok && each.value.value.kind === kind
      ? [{ name: each.value.file.name, domains: each.value.value.domains }]
      : [],
  )
}

/** A finding at its place in the file that it is about. */
function placed({ source, patternColumn, ...finding }: Finding, side: ResolvedSide): LintFinding {
  const { files, text } = side
  if (source === 'domains') {
    const file = files.domains.file.shown
    const index = text.value?.domains.findIndex(({ name }) => name === finding.domain) ?? -1
    if (index < 0) return { ...finding, file, line: null, column: null }
    const place = text.place(index, finding.signal ?? undefined, patternColumn ?? undefined)
    return { ...finding, file, line: place.line, column: place.column }
  }
  const file = source === 'profile' ? (files.profile?.file.shown ?? '') : files.preset.file.shown
  const shown = source === 'labels' ? 'labels' : file
  return { ...finding, file: shown, line: null, column: null }
}
