import { compileSignal, type CompiledSignal } from '../../matcher/signal.ts'
import { prepareTurn, type Pipeline } from '../../pipeline.ts'
import type { Suggestion } from '../../schema/lab.ts'
import type { Ratio } from '../../schema/ratio.ts'
import type { TurnLabel } from '../../schema/label.ts'
import { firesOf, type CorpusLabels, type ScoredCorpus } from '../corpus/corpus.ts'
import { foldsBySource } from '../metrics/folds.ts'
import { answerFor, isRight, speaksFor } from '../metrics/label.ts'
import { ratio } from '../metrics/metrics.ts'
import { patchPipeline } from '../why/patch.ts'
import { primaryFlips } from '../flips/flips.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'
import { tellingPhrases, type Phrase } from './suggest-phrases.ts'

/** Maximum suggestions for one requested domain, and for each domain if all are requested. */
const MOST_FOR_ONE = 12
const MOST_FOR_EACH = 4
/** One part in three is held out; of one source by the hash of the text: equal texts are always in the same part. */
const PARTS = 3

/** Suggestions, and the labels they come from: phrases are chosen on `train`, judged on `held`. */
export interface Suggestions {
  readonly suggestions: readonly Suggestion[]
  readonly train: number
  readonly held: number
  /** [L102] Whole sources that are held out; null = all labels come from one source, which was parted. */
  readonly heldSources: number | null
}

/** [T18] Is the label held out? The rule of `fixtures/labelled`. */
export function isHeldOut({ sha256 }: Pick<TurnLabel, 'sha256'>): boolean {
  return parseInt(sha256.slice(0, 8), 16) % PARTS === 0
}

interface Split {
  readonly train: CorpusLabels
  readonly held: CorpusLabels
}

type Found = readonly [turn: number, label: TurnLabel]

/** [L102] Turns that are held out: whole sources, about a third; by hash if there is only one source. */
function heldBy(
  found: readonly Found[],
  sourceOf: (turn: number) => string,
): (one: Found) => boolean {
  const folds = foldsBySource(new Map(found.map(([turn]) => [turn, sourceOf(turn)])))
  if (folds === null) return ([, label]) => isHeldOut(label)
  const count = new Set(folds.values()).size
  const first = Math.max(1, Math.floor((count * (PARTS - 1)) / PARTS))
  return ([turn]) => (folds.get(turn) ?? 0) >= first
}

function splitLabels({ scored, labels, sourceOf }: Asked): Split {
  const found = [...labels].filter(([turn]) => turn < scored.corpus.turns)
  const isHeld = heldBy(found, sourceOf)
  return {
    train: new Map(found.filter((one) => !isHeld(one))),
    held: new Map(found.filter(isHeld)),
  }
}

interface Asked {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  /** The source of a labelled turn (L91). */
  readonly sourceOf: (turn: number) => string
  /** Null = for each domain that is configured. */
  readonly domain: string | null
}

function textsWhere(
  scored: ScoredCorpus,
  labels: CorpusLabels,
  wanted: (label: TurnLabel) => boolean,
): readonly string[] {
  return [...labels]
    .filter(([, label]) => wanted(label))
    .map(([turn]) => prepareTurn(scored.pipeline, scored.corpus.turn(turn).text).input.text)
}

/** A phrase as a signal of its domain. Words are letters, digits and "_": nothing needs escaping. */
interface Candidate {
  readonly domain: string
  readonly phrase: Phrase
  readonly signal: CompiledSignal
}

function candidatesFor(
  scored: ScoredCorpus,
  train: CorpusLabels,
  domain: string,
  most: number,
): readonly Candidate[] {
  const set = scored.pipeline.belief.set
  const known = new Set(set.byName.get(domain)?.signals.map((signal) => signal.pattern))
  const own = textsWhere(scored, train, (label) => label.primary === domain)
  const others = textsWhere(scored, train, (label) => !speaksFor(label, domain))
  const candidates: Candidate[] = []
  for (const phrase of tellingPhrases(own, others)) {
    if (candidates.length === most) break
    const pattern = `\\b${phrase.words.join('\\s+')}\\b`
    const signal = compileSignal(pattern, `suggestion for "${domain}"`, set.options)
    if (signal.ok && !known.has(pattern)) candidates.push({ domain, phrase, signal: signal.value })
  }
  return candidates
}

function rightOf(scored: ScoredCorpus, labels: CorpusLabels): Ratio {
  const right = [...labels].filter(([turn, label]) =>
    isRight(
      label,
      answerFor(label, {
        primary: scored.domains[scored.primary[turn] ?? -1] ?? '',
        fires: firesOf(scored, turn),
      }),
    ),
  )
  return ratio(right.length, labels.size)
}

/** Labelled turns that the signal matches: of the domain, and those that do not speak for it. */
function hitsOf(turns: ReadonlySet<number>, labels: CorpusLabels, domain: string) {
  const hit = [...labels].filter(([turn]) => turns.has(turn))
  return {
    own: hit.filter(([, label]) => label.primary === domain).length,
    other: hit.filter(([, label]) => !speaksFor(label, domain)).length,
  }
}

/** Number of the signal that was added at the end of a domain. */
function numberOfLast(pipeline: Pipeline, domain: string): number {
  const owner = pipeline.belief.set.byName.get(domain)
  return owner === undefined ? -1 : owner.firstSignal + owner.signals.length - 1
}

function judge(
  before: ScoredCorpus,
  after: ScoredCorpus,
  { domain, phrase, signal }: Candidate,
  { train, held }: Split,
): Suggestion {
  const turns = new Set(after.posting(numberOfLast(after.pipeline, domain)))
  const [inTrain, inHeld] = [train, held].map((labels) => hitsOf(turns, labels, domain))
  return {
    domain,
    pattern: signal.pattern,
    phrase: phrase.words.join(' '),
    logOdds: phrase.logOdds,
    trainOwn: inTrain?.own ?? 0,
    trainOther: inTrain?.other ?? 0,
    heldOwn: inHeld?.own ?? 0,
    heldOther: inHeld?.other ?? 0,
    heldBefore: rightOf(before, held),
    heldAfter: rightOf(after, held),
    flips: primaryFlips(before, after, new Map()).turns.length,
  }
}

/**
 * [T18] Signals that labels suggest for a domain (null: for each that is configured). Phrases are
 * found and ranked on the train part alone. The held part only measures what each would gain; it
 * never selects or orders them. Nothing is applied.
 */
export function* suggestSignals(question: Asked, rescore: Rescore): Work<Suggestions> {
  const { scored, domain } = question
  const split = splitLabels(question)
  const names = scored.pipeline.belief.set.domains.map((one) => one.name)
  const asked = domain === null ? names : names.filter((name) => name === domain)
  const most = domain === null ? MOST_FOR_EACH : MOST_FOR_ONE
  const suggestions: Suggestion[] = []
  for (const [done, name] of asked.entries()) {
    const at = { done, total: asked.length }
    yield at
    for (const candidate of candidatesFor(scored, split.train, name, most)) {
      const pipeline = patchPipeline(scored.pipeline, { add: [candidate] })
      const after = yield* partOf(rescore(pipeline, scored), at)
      suggestions.push(judge(scored, after, candidate, split))
    }
  }
  const [train, held] = [split.train, split.held].map(
    (labels) => new Set([...labels.keys()].map(question.sourceOf)),
  )
  return {
    suggestions,
    train: split.train.size,
    held: split.held.size,
    heldSources: held && ![...held].some((source) => train?.has(source)) ? held.size : null,
  }
}
