import { patternOfWords } from '../words/word-pattern.ts'
import { scanSpans, type Guard } from '../../matcher/scan.ts'
import { prepareTurn } from '../../pipeline.ts'
import type { Span } from '../../schema/trace.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { aboutSignal, withEvidence, type Finding, type Placed } from './lint-finding.ts'
import type { Work } from '../scoring/rescore.ts'

/** Turns examined for one signal. A longer word that is rarer than that does no harm. */
const MOST_TURNS = 200
const MOST_SPANS = 20
/** Different longer words that a finding names. */
const MOST_WORDS = 4
const SLICE = 200

/** Letters of scripts that put blanks between words: in the others a match inside a run is no mistake. */
const LETTER =
  '(?:(?![\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}])\\p{L})'
const WORD_BEFORE = new RegExp(`${LETTER}+$`, 'u')
const WORD_AFTER = new RegExp(`^${LETTER}+`, 'u')
/** A shorter piece of a word in the match is not a word of the pattern, but the end of one of its gaps. */
const SHORTEST_PIECE = 3
/** Longest part of a word looked at on each side. */
const REACH = 40

/** Longer words that contain a match of one signal. */
interface Inside {
  /** Longer word → how often. */
  readonly words: Map<string, number>
  readonly turns: number[]
  seen: number
  /** Some match begins in the middle of a word, not only ends in one. */
  before: boolean
}

/** Letters next to one side of a match, if the match itself has part of a word there. */
function beyond(text: string, place: RegExp, match: string, ownEnd: RegExp): string {
  const piece = ownEnd.exec(match)?.[0] ?? ''
  return piece.length < SHORTEST_PIECE ? '' : (place.exec(text)?.[0] ?? '')
}

/** The longer word that contains a match, or null. `before` is true if the match begins inside the word. */
function longerWord(text: string, [start, end]: Span) {
  const match = text.slice(start, end)
  const left = beyond(text.slice(Math.max(0, start - REACH), start), WORD_BEFORE, match, WORD_AFTER)
  const right = beyond(text.slice(end, end + REACH), WORD_AFTER, match, WORD_BEFORE)
  if (left === '' && right === '') return null
  const whole = text.slice(start - left.length, end + right.length)
  const word = (left === '' ? WORD_BEFORE : WORD_AFTER).exec(whole)?.[0] ?? whole
  return { word: word.toLowerCase(), before: left !== '' }
}

function note(inside: Inside, turn: number, text: string, spans: readonly Span[]): void {
  const longer = spans.flatMap((span) => longerWord(text, span) ?? [])
  inside.seen += 1
  if (longer.length === 0) return
  inside.turns.push(turn)
  for (const { word, before } of longer) {
    inside.words.set(word, (inside.words.get(word) ?? 0) + 1)
    inside.before ||= before
  }
}

/** A keyword (K11) has no word boundaries: it becomes a pattern, or a longer phrase. */
function adviceFor({ signal: { dialect, pattern } }: Placed, before: boolean): string {
  if (dialect === 'keyword')
    return `Use the pattern ${patternOfWords(pattern) ?? ''} instead, or a longer phrase.`
  return before
    ? 'Put \\b before and after the word.'
    : 'Put \\b after the word, unless its endings are meant.'
}

function findingOf(placed: Placed, inside: Inside, scored: ScoredCorpus): Finding {
  const words = [...inside.words].sort((a, b) => b[1] - a[1]).slice(0, MOST_WORDS)
  const named = words.map(([word, count]) => `"${word}" (${count})`).join(', ')
  const finding = aboutSignal(placed, {
    rule: 'no-word-boundary',
    severity: inside.before ? 'warning' : 'info',
    what: `It matches inside longer words: ${named}; on ${inside.turns.length} of ${inside.seen} turns looked at.`,
    do: adviceFor(placed, inside.before),
  })
  return withEvidence(finding, scored, inside.turns)
}

/**
 * [T15] `no-word-boundary`: matches found inside longer words of the corpus ("market" in "marketing"), in the first 200
 * turns on which the signal fired. A match that begins inside a word is a warning. One that only ends inside a word may
 * intend the word's endings, and is information. Reports only evidence from texts, not guesses from the pattern.
 * Scripts without blanks between words do not count, nor do pieces of fewer than 3 letters.
 */
export function* lintWords(
  signals: readonly Placed[],
  scored: ScoredCorpus,
  guard: Guard,
): Work<readonly Finding[]> {
  const { turns } = scored.corpus
  const all = signals.map((): Inside => ({ words: new Map(), turns: [], seen: 0, before: false }))
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn % SLICE === 0) yield { done: turn, total: turns }
    const open = scored
      .fired(turn)
      .filter((number) => (all[number]?.seen ?? MOST_TURNS) < MOST_TURNS)
    if (open.length === 0) continue
    const { facts, input } = prepareTurn(scored.pipeline, scored.corpus.turn(turn).text)
    const compiled = open.flatMap((number) => signals[number]?.signal ?? [])
    const found = scanSpans(compiled, facts, MOST_SPANS, guard)
    for (const [at, number] of open.entries()) {
      const inside = all[number]
      if (inside !== undefined) note(inside, turn, input.text, found[at]?.spans ?? [])
    }
  }
  return signals.flatMap((placed) => {
    const inside = all[placed.number]
    return inside === undefined || inside.turns.length === 0
      ? []
      : findingOf(placed, inside, scored)
  })
}
