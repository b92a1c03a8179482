import { applyMomentum } from '../../belief/momentum.ts'
import { isReadAt, isValueOf } from '../../belief/options.ts'
import { compareScores, extractCompound, type DomainScore } from '../../belief/score.ts'
import { stepBelief } from '../../belief/step.ts'
import { keptIn } from '../../maps.ts'
import { prepareTurn } from '../../pipeline.ts'
import type { Counterfactual } from '../../schema/lab.ts'
import { BeliefOptions } from '../../schema/preset.ts'
import type { WhyNot } from '../../schema/trace.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { signalNames } from '../corpus/signal-name.ts'
import { candidateChanges, type Situation } from '../flips/changes.ts'
import { primaryFlips } from '../flips/flips.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'
import { primaryUnder, retell, type Retelling } from './counterfactual.ts'
import { nearSignals } from './near.ts'
import { patchPipeline, type PipelinePatch } from './patch.ts'
import { whyNot } from './why-not.ts'

/** Removing more matches than this would not be a small change. */
const MOST_REMOVED = 6

/** The scores when each domain has so many matches fewer. */
function lowered(
  scores: readonly DomainScore[],
  fewer: ReadonlyMap<string, number>,
): readonly DomainScore[] {
  return scores
    .map((score) => {
      const matched = score.matched - (fewer.get(score.domain) ?? 0)
      // As if all weighed the same: which signals go is chosen, and run, afterwards.
      const points = score.matched === 0 ? 0 : (score.points * matched) / score.matched
      return { ...score, matched, points, score: points * score.factor }
    })
    .filter((score) => score.matched > 0)
    .sort(compareScores)
}

function primaryWith(situation: Situation, fewer: ReadonlyMap<string, number>): string {
  const scored = extractCompound(lowered(situation.scores, fewer), situation.rules)
  return applyMomentum(scored, situation.state, situation.rules).primary.domain
}

/** All ways to take `count` matches from the domains, as pairs (domain, how many). */
function* ways(
  domains: readonly DomainScore[],
  count: number,
): Generator<ReadonlyArray<readonly [string, number]>> {
  const [first, ...rest] = domains
  if (count === 0) yield []
  if (first === undefined || count === 0) return
  for (let own = Math.min(count, first.matched); own >= 0; own -= 1)
    for (const others of ways(rest, count - own))
      yield own === 0 ? others : [[first.domain, own], ...others]
}

/**
 * [T14] Ways to make the domain the turn's primary by taking away matches of other domains, fewest
 * first: how many of each. Found by trying all of them, up to 6 matches; it is for the caller to say
 * which signals, because a score only counts them.
 */
function* removals(situation: Situation, domain: string): Generator<ReadonlyMap<string, number>> {
  const others = situation.scores.filter((score) => score.domain !== domain)
  const all = others.reduce((sum, score) => sum + score.matched, 0)
  for (let count = 1; count <= Math.min(MOST_REMOVED, all); count += 1)
    for (const way of ways(others, count)) {
      const fewer = new Map(way)
      if (primaryWith(situation, fewer) === domain) yield fewer
    }
}

type Edit = Counterfactual['edits'][number]
type Effect = Pick<Edit, 'alsoFlips' | 'fixed' | 'broken'>

/** An edit and the patch that makes it; null for added matches, which have no pattern. */
interface Planned {
  readonly edit: Omit<Edit, keyof Effect>
  readonly patch: PipelinePatch | null
}

/** Ways of removal that are checked over the whole session before giving up. */
const MOST_TRIED = 24
const UNKNOWN: Effect = { alsoFlips: null, fixed: null, broken: null }

/** Chooses the matches to remove: signals that fire on few turns of the corpus come first. */
function choose(
  scored: ScoredCorpus,
  turn: number,
  fewer: ReadonlyMap<string, number>,
): ReadonlySet<number> {
  const { domains } = scored.pipeline.belief.set
  const fired = scored.fired(turn)
  return new Set(
    domains.flatMap(({ name, firstSignal, signals }) =>
      fired
        .filter((number) => number >= firstSignal && number < firstSignal + signals.length)
        .sort((a, b) => scored.posting(a).length - scored.posting(b).length || a - b)
        .slice(0, fewer.get(name) ?? 0),
    ),
  )
}

function planRemoval(
  scored: ScoredCorpus,
  turn: number,
  question: { readonly told: Retelling; readonly situation: Situation; readonly domain: string },
): readonly Planned[] {
  let tried = 0
  for (const fewer of removals(question.situation, question.domain)) {
    if (tried === MOST_TRIED) break
    tried += 1
    const without = choose(scored, turn, fewer)
    if (primaryUnder(question.told, { without }) !== question.domain) continue
    const names = signalNames(scored.pipeline)
    const what = [...without].map((number) => names[number] ?? '').join(', ')
    const size = without.size
    const from = String(scored.fired(turn).length)
    const to = String(scored.fired(turn).length - size)
    return [{ edit: { kind: 'remove_signals', what, from, to, size }, patch: { without } }]
  }
  return []
}

function planAddition(matched: number, needed: number | null): readonly Planned[] {
  if (needed === null) return []
  const what = `${needed} more ${needed === 1 ? 'match' : 'matches'}`
  const from = String(matched)
  const to = String(matched + needed)
  return [{ edit: { kind: 'add_signals', what, from, to, size: needed }, patch: null }]
}

/** Runs the change over the corpus. Counts are of other turns than the one in question. */
function* effectOf(
  scored: ScoredCorpus,
  turn: number,
  change: { readonly patch: PipelinePatch; readonly labels: CorpusLabels },
  rescore: Rescore,
): Work<Effect> {
  const after = yield* rescore(patchPipeline(scored.pipeline, change.patch), scored)
  const others = new Map(change.labels)
  others.delete(turn)
  const { turns, fixed, broken } = primaryFlips(scored, after, others)
  return { alsoFlips: turns.filter((one) => one !== turn).length, fixed, broken }
}

/** Computes the data shared by all domains of one question. */
function study(scored: ScoredCorpus, turn: number) {
  const { belief } = scored.pipeline
  const state = scored.state(turn)
  const outcome = stepBelief(belief, state, scored.fired(turn))
  const situation: Situation = { scores: outcome.scored.scores, state, rules: belief.rules }
  const told = retell(scored, turn)
  return {
    situation,
    told,
    optionEdits: createOptionSearch(told, situation),
    text: prepareTurn(scored.pipeline, scored.corpus.turn(turn).text).input.text,
    fired: new Set(scored.fired(turn)),
    whyNot: whyNot(belief, outcome, state),
  }
}

type Study = ReturnType<typeof study>

/** Edits that suffice, before anything is run over the corpus. */
function planFor(
  scored: ScoredCorpus,
  turn: number,
  { situation, told, optionEdits }: Study,
  { domain, signalsNeeded }: WhyNot,
): readonly Planned[] {
  const own = situation.scores.find((score) => score.domain === domain)
  return [
    ...planAddition(own?.matched ?? 0, signalsNeeded),
    ...planRemoval(scored, turn, { told, situation, domain }),
    ...optionEdits(domain).map(({ patch, ...edit }) => {
      return { edit: { kind: 'option' as const, ...edit }, patch }
    }),
  ]
}

/**
 * [T14] For every other domain (or the requested one): its signals that did not fire, nearest first, and the smallest
 * edits that each alone would make it the primary of this turn. An edit adds matches, removes signals, or changes one
 * option. Removals and options apply to the whole session, not only to this turn. They are run over the corpus to
 * report the other turns that they would flip, fix and break (T10). The domain in force is not listed, and neither is
 * one that is not configured.
 */
export function* explainTurn(
  scored: ScoredCorpus,
  labels: CorpusLabels,
  question: { readonly turn: number; readonly domain: string | null },
  rescore: Rescore,
): Work<readonly Counterfactual[]> {
  const { turn } = question
  const studied = study(scored, turn)
  const { byName } = scored.pipeline.belief.set
  const asked = studied.whyNot.flatMap((item) => {
    const domain = byName.get(item.domain)
    const wanted = question.domain === null || item.domain === question.domain
    return domain !== undefined && wanted ? [{ item, domain }] : []
  })
  const known = new Map<string, Effect>()
  const answers: Counterfactual[] = []
  for (const [done, { item, domain }] of asked.entries()) {
    const at = { done, total: asked.length }
    yield at
    const edits: Edit[] = []
    for (const { edit, patch } of planFor(scored, turn, studied, item)) {
      const key = `${edit.kind} ${edit.what} ${edit.to}`
      let effect = patch === null ? UNKNOWN : known.get(key)
      if (patch !== null)
        effect ??= yield* partOf(effectOf(scored, turn, { patch, labels }, rescore), at)
      effect ??= UNKNOWN
      known.set(key, effect)
      edits.push({ ...edit, ...effect })
    }
    const near = nearSignals(domain, studied.fired, studied.text)
    answers.push({ domain: domain.name, near, edits })
  }
  return answers
}

/** One change of an option. */
interface OptionEdit {
  readonly what: string
  readonly from: string
  readonly to: string
  /** Distance of numbers; 1 for a switch, and for a rule that comes or goes. */
  readonly size: number
  readonly patch: PipelinePatch
}

/** Values are tried up to this far from the one in force. */
const REACH = 8

type Counted = keyof {
  readonly [K in keyof BeliefOptions as BeliefOptions[K] extends number | null ? K : never]: K
}

function isCounted(name: keyof BeliefOptions): name is Counted {
  return isValueOf(name, REACH)
}

/** Whole-number options that matter to the decision once it is known which signals fired. */
const COUNTED = BeliefOptions.keyof()
  .options.filter(isCounted)
  .filter((name) => isReadAt('score', name) || isReadAt('decide', name))
function sizeOf(from: string, to: string): number {
  const distance = Math.abs(Number(to) - Number(from))
  return Number.isFinite(distance) && distance > 0 ? distance : 1
}

/** Values around the one in force, nearest first. If a rule is off, its weakest setting comes first. */
function valuesAround(what: Counted, from: number | null): ReadonlyArray<number | null> {
  const steps = Array.from({ length: REACH }, (_, index) => index + 1)
  const least = isValueOf(what, 0) ? 0 : 1
  if (from === null) return steps.map((step) => least + REACH - step)
  return [...steps.flatMap((step) => [from - step, from + step]), null].filter((value) =>
    isValueOf(what, value),
  )
}

function countedEdits(options: BeliefOptions): readonly OptionEdit[] {
  return COUNTED.flatMap((what) => {
    const from = options[what]
    return valuesAround(what, from).map((value) => {
      const shownFrom = String(from ?? 'none')
      const shownTo = String(value ?? 'none')
      const size = sizeOf(shownFrom, shownTo)
      return { what, from: shownFrom, to: shownTo, size, patch: { options: { [what]: value } } }
    })
  })
}

function situationEdits(situation: Situation, domain: string): readonly OptionEdit[] {
  return candidateChanges(situation, domain).flatMap(({ what, from, to, patch }) =>
    patch === null ? [] : [{ what, from, to, size: sizeOf(from, to), patch }],
  )
}

/** Finds the option changes that suffice. Caches the effect of a change, because most are tried for every domain. */
function createOptionSearch(told: Retelling, situation: Situation) {
  const known = new Map<string, string>()
  const common = countedEdits(situation.rules.options)
  const primaryOf = (edit: OptionEdit): string =>
    keptIn(known, `${edit.what}=${edit.to}`, () => primaryUnder(told, edit.patch))
  /** [T14] Of each option the smallest change with which the domain is the turn's primary. */
  return (domain: string): readonly OptionEdit[] => {
    const best = new Map<string, OptionEdit>()
    const edits = [...common, ...situationEdits(situation, domain)]
    for (const edit of edits) {
      const smaller = edit.size < (best.get(edit.what)?.size ?? Infinity)
      if (smaller && primaryOf(edit) === domain) best.set(edit.what, edit)
    }
    return [...best.values()].sort((a, b) => a.size - b.size)
  }
}
