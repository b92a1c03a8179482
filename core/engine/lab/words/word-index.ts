import { createLru } from '../../lru.ts'
import { keptIn } from '../../maps.ts'
import { WIDE } from '../../matcher/literals.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { createGrowing } from '../corpus/growing.ts'
import type { Work } from '../scoring/rescore.ts'
import type { LabGuard } from '../corpus/scan-turns.ts'
import type { TextView } from '../corpus/text-view.ts'
import { requiredOf } from './plain-literals.ts'
import { createMarks, createTurnLists, type TurnLists } from './turn-sets.ts'
import { branchedOf } from '../corpus/branches.ts'
import { wordParts, type WordPart } from './word-parts.ts'
import { createWordTable, type WordList } from './word-table.ts'

/** Turns that may match a signal, judged by their words. Both lists ascend and are disjoint. */
export interface Candidates {
  /** It does match there. */
  readonly sure: Uint32Array
  /** It may match there, and nowhere else. */
  readonly possible: Uint32Array
}

/** Maps words to turns, to find the turns that a signal can match at all. */
export interface WordIndex {
  /** `anyway`: turns whose text is not the one that the index was made of; they stay possible. */
  candidates(signal: CompiledSignal, anyway: Uint32Array | null, guard: LabGuard): Candidates
  readonly bytes: number
}

/** Turns read between two breaths. */
const SLICE = 64

/** Lists of words by part are kept, because a pattern keeps most of its literals while it is typed. */
const KEPT_PARTS = 256

/** A watchdog allows for many patterns in a text; one pattern goes through so many more words in that time. */
const WORDS_FOR_TEXTS = 16

interface Parts {
  readonly plain: WordList
  readonly mixed: WordList
  readonly lists: TurnLists
  /** Turns that are not ASCII, and turns with a word too long to keep. */
  readonly wide: Uint32Array
  readonly long: Uint32Array
}

/**
 * [T7] Reads every text once. Words are runs of word characters in the text's lower case or skeleton, the forms in
 * which required literals are searched (C6).
 */
export function* createWordIndex(corpus: Corpus, view: TextView): Work<WordIndex> {
  const table = createWordTable()
  const lists = createTurnLists()
  const wide = createGrowing()
  const long = createGrowing()
  for (let turn = 0; turn < corpus.turns; turn += 1) {
    const ascii = view.ascii(turn)
    if (!ascii) wide.push(turn)
    const hasLong = table.read(ascii ? view.text(turn) : view.skeleton(turn), (word) =>
      lists.put(word, turn),
    )
    if (hasLong) long.push(turn)
    lists.endOfTurn()
    if (turn % SLICE === 0) yield { done: turn, total: corpus.turns }
  }
  return searchable(corpus.turns, {
    ...table.done(),
    lists: lists.done(),
    wide: wide.done(),
    long: long.done(),
  })
}

function placeAt({ starts }: WordList, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

/** Calls `visit` with every place in the list at whose word `next` finds something, once. */
function eachPlace(
  list: WordList,
  next: (from: number) => number,
  visit: (place: number) => void,
): void {
  const { joined, starts } = list
  for (let at = next(0); at >= 0 && at < joined.length - 1;) {
    // A find may begin with the line break before the word.
    const place = placeAt(list, Math.max(at, starts[0] ?? 0) + (joined[at] === '\n' ? 1 : 0))
    visit(place)
    at = next((starts[place + 1] ?? joined.length) - 1)
  }
}

/** Numbers of the words that hold the part. */
function wordsWith({ plain, mixed }: Parts, { text, starts, ends }: WordPart): Uint32Array {
  const sought = `${starts ? '\n' : ''}${text}${ends ? '\n' : ''}`
  const found = createGrowing()
  for (const list of [plain, mixed])
    eachPlace(
      list,
      (from) => list.joined.indexOf(sought, from),
      (place) => found.push(list.words[place] ?? 0),
    )
  return found.done()
}

/** Numbers of the words that a regular expression matches; a match never goes over a line break. */
function wordsMatching(list: WordList, regex: RegExp): Uint32Array {
  const every = new RegExp(regex.source, `${regex.flags}g`)
  const found = createGrowing()
  eachPlace(
    list,
    (from) => {
      every.lastIndex = from
      return every.exec(list.joined)?.index ?? -1
    },
    (place) => found.push(list.words[place] ?? 0),
  )
  return found.done()
}

function bytesOf({ plain, mixed, lists }: Parts): number {
  const ofList = ({ joined, starts }: WordList) => joined.length + 2 * starts.byteLength
  return lists.bytes + ofList(plain) + ofList(mixed)
}

/** Equal for parts that the same words hold. */
function keyOf({ text, starts, ends }: WordPart): string {
  return `${starts ? '<' : ''}${text}${ends ? '>' : ''}`
}

function searchable(turns: number, parts: Parts): WordIndex {
  const { plain, mixed, lists, wide, long } = parts
  const known = createLru<string, Uint32Array>(KEPT_PARTS)
  const possible = createMarks(turns)
  const sure = createMarks(turns)
  const open = createMarks(turns)
  const literal = createMarks(turns)
  const words = plain.joined.length + mixed.joined.length

  const wordsOf = (part: WordPart): Uint32Array =>
    keptIn(known, keyOf(part), () => wordsWith(parts, part))

  /** Marks turns that contain the words of one alternative. Returns false if it names no words. */
  function putAlternative(literals: readonly string[]): boolean {
    const found = literals.filter((one) => one !== WIDE).flatMap(wordParts)
    if (found.length === 0) return false
    const sets = found.map(wordsOf).sort((a, b) => lists.weight(a) - lists.weight(b))
    literal.clear()
    for (const [step, set] of sets.slice(0, 3).entries()) {
      const put = step === 0 ? literal.put : literal.narrow()
      for (const word of set) lists.each(word, put)
    }
    for (const turn of literal.list()) possible.put(turn)
    return true
  }

  /** Marks the turns that the signal may match: all turns if it has no useful literal. */
  function putPossible(signal: CompiledSignal): void {
    for (const alternative of requiredOf(signal) ?? [[]]) {
      if (putAlternative(alternative)) continue
      if (!alternative.includes(WIDE)) {
        possible.fill()
        return
      }
      for (const turn of wide) possible.put(turn)
    }
    for (const turn of long) possible.put(turn)
  }

  /** Marks the turns that the words decide. Turns with a long word, or in another alphabet, stay open. */
  function putSure({ programs }: CompiledSignal): void {
    const everywhere = programs.wide.form === 'skeleton'
    for (const word of wordsMatching(plain, programs.ascii.regex)) lists.each(word, sure.put)
    if (everywhere)
      for (const word of wordsMatching(mixed, programs.wide.regex)) lists.each(word, sure.put)
    for (const turn of everywhere ? long : [...wide, ...long]) open.put(turn)
  }

  return {
    bytes: bytesOf(parts),
    candidates: (signal, anyway, guard) => {
      for (const marks of [possible, sure, open]) marks.clear()
      const { within, rest } = branchedOf(signal)
      const told = within === null || guard(() => putSure(within), words / WORDS_FOR_TEXTS)
      if (rest !== null) putPossible(rest)
      if (!told) {
        // A pattern that does not come back from the words is run text by text, where T9 says its end.
        sure.clear()
        possible.fill()
      }
      for (const turn of anyway ?? []) open.put(turn)
      // Words do not decide a turn that is open.
      const decided = sure.list(open)
      for (const turn of open.list()) possible.put(turn)
      sure.clear()
      for (const turn of decided) sure.put(turn)
      return { sure: decided, possible: possible.list(sure) }
    },
  }
}
