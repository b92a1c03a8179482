import { initialBeliefState, stepTurn } from '../pipeline.ts'
import type { Pipeline, TurnOutcome } from '../pipeline.ts'
import type { TurnLabel } from '../schema/label.ts'
import { createCorpus } from './corpus.ts'
import type { Corpus, CorpusLabels, ScoredCorpus } from './corpus.ts'
import type { Rescore, Work } from './rescore.ts'

/** For tests: a corpus of texts, session by session. */
export function corpusOf(sessions: ReadonlyArray<readonly string[]>): Corpus {
  return createCorpus(
    sessions.map((texts, index) => ({
      id: `s${index}`,
      turns: texts.map((text, seq) => ({ seq, kind: 'user' as const, text })),
    })),
  )
}

/** For tests: the definition of a scored corpus, by running every turn through the pipeline. */
export function scoreFromScratch(corpus: Corpus, pipeline: Pipeline): ScoredCorpus {
  const outcomes: TurnOutcome[] = []
  const states = corpus.sessions.flatMap((session) => {
    let state = initialBeliefState
    return session.turns.map(({ text }) => {
      const before = state
      const outcome = stepTurn(pipeline, before, text)
      outcomes.push(outcome)
      state = outcome.state
      return before
    })
  })
  const names = pipeline.belief.set.domains.map((domain) => domain.name)
  const { defaultDomain } = pipeline.belief.rules.options
  const domains = names.includes(defaultDomain) ? names : [...names, defaultDomain]
  const at = (turn: number): TurnOutcome => {
    const outcome = outcomes[turn]
    if (outcome === undefined) throw new RangeError(`turn ${turn}`)
    return outcome
  }
  return {
    corpus,
    pipeline,
    posting: (number) =>
      Uint32Array.from(
        outcomes.flatMap((outcome, turn) => (outcome.fired.includes(number) ? [turn] : [])),
      ),
    fired: (turn) => at(turn).fired,
    decided: at,
    state: (turn) => states[turn] ?? initialBeliefState,
    after: (turn) => at(turn).state,
    primary: Int16Array.from(outcomes, (outcome) => domains.indexOf(outcome.primary.domain)),
    secondary: Int16Array.from(outcomes, (outcome) =>
      outcome.secondary === null ? -1 : domains.indexOf(outcome.secondary.domain),
    ),
    enriched: Uint8Array.from(
      outcomes,
      ({ plan }) => (plan.primary_enrichment ? 1 : 0) + (plan.secondary_enrichment ? 2 : 0),
    ),
    domains,
  }
}

/** For tests: a scorer that knows no short cut. */
// eslint-disable-next-line require-yield -- the real one yields; this one has nothing to tell
export const rescoreFromScratch: Rescore = function* (pipeline, previous) {
  return scoreFromScratch(previous.corpus, pipeline)
}

/** For tests: runs a long question to its end. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** For tests: labels by turn of the corpus. */
export function labelsOf(
  labels: Readonly<Record<number, string | Partial<TurnLabel>>>,
): CorpusLabels {
  return new Map(
    Object.entries(labels).map(([turn, label]) => {
      const given = typeof label === 'string' ? { primary: label } : label
      const hash = Number(turn).toString(16).padStart(16, '0')
      return [Number(turn), { event: Number(turn), sha256: hash, primary: '', ...given }]
    }),
  )
}
