import type { CorpusLabels, Posting, ScoredCorpus } from '../corpus/corpus.ts'
import { speaksFor } from '../metrics/label.ts'
import { aboutSignal, shareText, withEvidence, type Finding, type Placed } from './lint-finding.ts'

/** From this number of turns on, never firing is significant: by the rule of three, the true rate is below 1 %. */
const LEAST_SILENT = 300
/** With fewer turns, no share of all turns is reported. */
const LEAST_TURNS = 50
/** From this share on, a signal adds to its domain regardless of the topic of a turn. */
const EVERYWHERE = 0.5
/** Labelled turns, and turns without labels, on which a signal must have fired to be judged by them. */
const LEAST_LABELLED = 5
const LEAST_HITS = 30
/** Decisions may be mistakes themselves, unlike labels, so that a larger share of them is needed. */
const MOSTLY_LABELLED = 0.6
const MOSTLY_DECIDED = 0.8
/** A signal counts as shadowed if at least this many turns, all it fired on, went to one other domain. */
const LEAST_SHADOWED = 10

/** Input of a rule about one signal. */
interface Sight {
  readonly placed: Placed
  readonly posting: Posting
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
}

type Rule = (sight: Sight) => Finding | null

const neverFired: Rule = ({ placed, posting, scored }) => {
  const { turns } = scored.corpus
  if (posting.length > 0 || turns < LEAST_SILENT) return null
  const finding = aboutSignal(placed, {
    rule: 'never-fired',
    severity: 'info',
    what: `It fired on none of ${turns} turns.`,
    do: 'Check it against a text that it is meant for, or take it out.',
  })
  return { ...finding, count: 0 }
}

const firesEverywhere: Rule = ({ placed, posting, scored }) => {
  const { turns } = scored.corpus
  if (turns < LEAST_TURNS || posting.length < EVERYWHERE * turns) return null
  const finding = aboutSignal(placed, {
    rule: 'fires-everywhere',
    severity: 'warning',
    what: `It fires on ${shareText(posting.length, turns, 'turns')}: it tells no turn from another.`,
    do: 'Ask for a second word beside it.',
  })
  return withEvidence(finding, scored, posting)
}

/** The most frequent of the names, with its count. */
function mostOf(names: readonly string[]): readonly [string, number] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['', 0]
}

function radar(
  { placed, scored }: Sight,
  others: readonly number[],
  said: { readonly of: number; readonly what: string; readonly most: readonly [string, number] },
): Finding {
  const [most, count] = said.most
  const finding = aboutSignal(placed, {
    rule: 'other-domains',
    severity: said.what.startsWith('labelled') ? 'warning' : 'info',
    what: `Of the turns it fires on, ${shareText(others.length, said.of, said.what)} are of other domains, most of them ${most} (${count}).`,
    do: 'It may be an everyday word: ask for a second word beside it.',
  })
  return withEvidence(finding, scored, others)
}

/** Finds everyday words: by labels if there are enough of them, else by decisions. */
const otherDomains: Rule = (sight) => {
  const { placed, posting, scored, labels } = sight
  const labelled = [...posting].filter((turn) => labels.has(turn))
  if (labelled.length >= LEAST_LABELLED) {
    const others = labelled.filter((turn) => {
      const label = labels.get(turn)
      return label !== undefined && !speaksFor(label, placed.domain)
    })
    if (others.length < MOSTLY_LABELLED * labelled.length) return null
    const most = mostOf(others.map((turn) => labels.get(turn)?.primary ?? ''))
    return radar(sight, others, { of: labelled.length, what: 'labelled turns', most })
  }
  if (posting.length < LEAST_HITS) return null
  const { primary, secondary } = scored
  const others = [...posting].filter(
    (turn) => primary[turn] !== placed.domainNumber && secondary[turn] !== placed.domainNumber,
  )
  if (others.length < MOSTLY_DECIDED * posting.length) return null
  const most = mostOf(others.map((turn) => scored.domains[primary[turn] ?? -1] ?? ''))
  return radar(sight, others, { of: posting.length, what: 'turns as decided', most })
}

const shadowed: Rule = ({ placed, posting, scored }) => {
  if (posting.length < LEAST_SHADOWED) return null
  const { primary, secondary } = scored
  const winner = primary[posting[0] ?? 0]
  if (winner === undefined || winner === placed.domainNumber) return null
  const always = posting.every(
    (turn) => primary[turn] === winner && secondary[turn] !== placed.domainNumber,
  )
  if (!always) return null
  const finding = aboutSignal(placed, {
    rule: 'shadowed',
    severity: 'warning',
    what: `On all ${posting.length} turns it fires on, ${scored.domains[winner] ?? ''} is the primary and ${placed.domain} not even the secondary.`,
    do: 'Give the domain a better priority, or a second signal for the same turns.',
  })
  return withEvidence(finding, scored, posting)
}

const RULES: readonly Rule[] = [neverFired, firesEverywhere, otherDomains, shadowed]

/**
 * [T15] `never-fired`, `fires-everywhere`, `other-domains`, `shadowed` of one signal over a corpus.
 * Each needs a least number of turns, and reports shares with their counts.
 */
export function lintFired(
  placed: Placed,
  scored: ScoredCorpus,
  labels: CorpusLabels,
): readonly Finding[] {
  const sight = { placed, posting: scored.posting(placed.number), scored, labels }
  return RULES.flatMap((rule) => rule(sight) ?? [])
}
