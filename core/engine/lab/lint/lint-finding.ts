import type { CompiledSignal } from '../../matcher/signal.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { LintFinding } from '../../schema/lab.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'

/** A finding before its line in the file is known. */
export interface Finding extends Omit<LintFinding, 'file' | 'line' | 'column'> {
  /** The kind of file that it is about. */
  readonly source: 'domains' | 'preset' | 'profile' | 'labels'
  /** Column in the pattern, from 1, if one character is the cause. */
  readonly patternColumn: number | null
}

/** Turns listed as evidence; `count` has all. */
const MOST_EVIDENCE = 20

/** A signal of a domain with the data that a finding reports. */
export interface Placed {
  /** Index into `Pipeline.signals`. */
  readonly number: number
  readonly domain: string
  /** Number of the domain among the configured ones. */
  readonly domainNumber: number
  readonly index: number
  readonly signal: CompiledSignal
}

/** All signals of the domains; anti-signals are not linted. */
export function placedSignals(pipeline: Pipeline): readonly Placed[] {
  return pipeline.belief.set.domains.flatMap((domain) =>
    domain.signals.map((signal, index) => ({
      number: domain.firstSignal + index,
      domain: domain.name,
      domainNumber: domain.index,
      index,
      signal,
    })),
  )
}

type Said = Pick<Finding, 'rule' | 'severity' | 'what' | 'do'>

/** A finding about one signal. */
export function aboutSignal(
  { domain, index, signal }: Pick<Placed, 'domain' | 'index' | 'signal'>,
  said: Said,
): Finding {
  return {
    ...said,
    source: 'domains',
    domain,
    signal: index,
    id: signal.id,
    pattern: signal.pattern,
    evidence: [],
    count: null,
    patternColumn: null,
  }
}

/** A finding about a domain, or about a file as a whole. */
export function aboutFile(source: Finding['source'], domain: string | null, said: Said): Finding {
  const nothing = { signal: null, id: null, pattern: null, count: null, patternColumn: null }
  return { ...said, source, domain, ...nothing, evidence: [] }
}

/** The finding with the turns that show it. */
export function withEvidence(
  finding: Finding,
  scored: ScoredCorpus,
  turns: ArrayLike<number>,
): Finding {
  const { corpus } = scored
  const listed = Array.from({ length: Math.min(turns.length, MOST_EVIDENCE) }, (_, at) => {
    const turn = turns[at] ?? 0
    const session = corpus.sessionOf(turn)
    return [session, turn - (corpus.sessions[session]?.first ?? 0)] satisfies [number, number]
  })
  return { ...finding, evidence: listed, count: turns.length }
}

/** "12 of 40 turns (30 %)": a share is always shown with its counts. */
export function shareText(hits: number, of: number, what: string): string {
  const percent = of === 0 ? 0 : Math.round((hits / of) * 100)
  return `${hits} of ${of} ${what} (${percent} %)`
}
