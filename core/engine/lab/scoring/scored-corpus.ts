import { buildPlan } from '../../belief/enrichment.ts'
import { applyMomentum } from '../../belief/momentum.ts'
import { scoreTurn } from '../../belief/step.ts'
import { domainNames, type Pipeline } from '../../pipeline.ts'
import { firedRows, type FiredRows } from './count-columns.ts'
import type { Corpus, ScoredCorpus } from '../corpus/corpus.ts'
import { holds } from '../corpus/fired-once.ts'
import { enrichedOf, primaryOf, secondaryOf } from './fold-rules.ts'
import type { Inside } from './inside.ts'

/** A value that is made when it is first read: many answers are compared, few are read completely. */
function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Up to this number of rows, each list is searched; for more, an index by turn is built once. */
const FEW_ROWS = 400
const NOWHERE = new Uint32Array(0)

/** Columns of an answer, made when first asked for. */
function columnsOf(domains: readonly string[], { folded, names }: Inside) {
  const { shown } = folded
  // By number of the name plus 1; 0 stands for none.
  const places: number[] = [-1]
  for (const [place, name] of domains.entries()) places[names.domainOf(name) + 1] = place
  const column = <T extends Int16Array | Uint8Array>(
    cells: T,
    cell: (one: number) => number,
  ): T => {
    for (let turn = 0; turn < cells.length; turn += 1) cells[turn] = cell(shown[turn] ?? 0)
    return cells
  }
  const turns = shown.length
  return {
    primary: later(() => column(new Int16Array(turns), (one) => places[primaryOf(one) + 1] ?? -1)),
    secondary: later(() =>
      column(new Int16Array(turns), (one) => places[secondaryOf(one) + 1] ?? -1),
    ),
    enriched: later(() => column(new Uint8Array(turns), enrichedOf)),
  }
}

/** An answer, read from its numbers. */
export function scoredCorpus(corpus: Corpus, pipeline: Pipeline, inside: Inside): ScoredCorpus {
  const { found, folded, names } = inside
  const { before, after } = folded
  const domains = domainNames(pipeline)
  const columns = columnsOf(domains, inside)
  let asked = 0
  const rows = later((): FiredRows => firedRows(corpus.turns, found))

  function place(turn: number): number {
    if (!(turn >= 0 && turn < corpus.turns)) throw new RangeError(`the corpus has no turn ${turn}`)
    return turn
  }

  function fired(turn: number): readonly number[] {
    place(turn)
    asked += 1
    if (asked <= FEW_ROWS)
      return [...found.keys()].filter((number) => holds(found[number]?.posting ?? NOWHERE, turn))
    const { starts, numbers } = rows()
    return [...numbers.subarray(starts[turn], starts[turn + 1])]
  }

  return {
    corpus,
    pipeline,
    posting: (number) => {
      const known = found[number]
      if (known === undefined) throw new RangeError(`the pipeline has no signal ${number}`)
      return known.posting
    },
    fired,
    decided: (turn) => {
      const { rules, disabled } = pipeline.belief
      const scored = scoreTurn(pipeline.belief, fired(turn))
      const decision = applyMomentum(scored, names.state(before[turn] ?? 0), rules)
      return { ...decision, scored, plan: buildPlan(decision, disabled, rules.options) }
    },
    state: (turn) => names.state(before[place(turn)] ?? 0),
    after: (turn) => names.state(after[place(turn)] ?? 0),
    get primary() {
      return columns.primary()
    },
    get secondary() {
      return columns.secondary()
    },
    get enriched() {
      return columns.enriched()
    },
    domains,
  }
}
