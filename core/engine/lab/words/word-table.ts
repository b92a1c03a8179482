import { DIGIT, LETTER } from '../../matcher/skeleton.ts'
import { createGrowing } from '../corpus/growing.ts'
import { oneByteText } from './one-byte.ts'

/** Longer words are not kept: encoded data would be most of the table. */
const LONGEST_WORD = 512
/** Literals are looked for within words, whole ones with these around them. */
const BREAK = 10

/** Words of one kind, as text: a line break before each and after the last. */
export interface WordList {
  readonly joined: string
  /** Start of each word in `joined`, ascending. */
  readonly starts: Uint32Array
  /** Their numbers. */
  readonly words: Uint32Array
}

/** Words by number, found by their characters without making a string of each. */
export interface WordTable {
  /**
   * Calls `visit` with the number of every word of a text (ASCII, in any case) or skeleton. Words are runs of word
   * characters, and of the tokens that represent such characters. Returns true if a word was too long to keep.
   */
  read(text: string, visit: (word: number) => void): boolean
  /** Words of ASCII characters, in lower case, and those with a token. */
  done(): { readonly plain: WordList; readonly mixed: WordList }
}

/** Code of a character within a word, in lower case; 0 = no word character. */
function wordCodes(): Uint8Array {
  const codes = new Uint8Array(256)
  for (let code = 0x30; code <= 0x39; code += 1) codes[code] = code
  for (let code = 0x61; code <= 0x7a; code += 1) codes[code] = code
  for (let code = 0x41; code <= 0x5a; code += 1) codes[code] = code + 32
  codes[0x5f] = 0x5f
  for (const token of [LETTER, DIGIT]) codes[token.charCodeAt(0)] = token.charCodeAt(0)
  return codes
}

/** Characters of words, one byte each. */
function createBytes() {
  let cells = new Uint8Array(1 << 16)
  let length = 0
  return {
    at: (index: number): number => cells[index] ?? 0,
    get length() {
      return length
    },
    push: (value: number): void => {
      if (length === cells.length) {
        const larger = new Uint8Array(cells.length * 2)
        larger.set(cells)
        cells = larger
      }
      cells[length] = value
      length += 1
    },
    cells: (): Uint8Array => cells.subarray(0, length),
  }
}

/** The words of one kind, copied together. */
function wordListOf(cells: Uint8Array, starts: Uint32Array, kind: 'plain' | 'mixed'): WordList {
  const joined = new Uint8Array(cells.length + 1).fill(BREAK)
  const begins = createGrowing()
  const words = createGrowing()
  let length = 1
  for (let word = 0; word < starts.length; word += 1) {
    const own = cells.subarray(starts[word], (starts[word + 1] ?? cells.length + 1) - 1)
    if (own.some((code) => code > 0x7f) !== (kind === 'mixed')) continue
    joined.set(own, length)
    begins.push(length)
    words.push(word)
    length += own.length + 1
  }
  return {
    joined: oneByteText(length, (at) => joined[at] ?? 0),
    starts: begins.done(),
    words: words.done(),
  }
}

/** A set of words: each has a number, in the order in which they come. */
function createWordSet() {
  const bytes = createBytes()
  const starts = createGrowing(1024)
  const hashes = createGrowing(1024)
  let mask = 4095
  let slots = new Uint32Array(mask + 1)

  function equal(id: number, word: Uint8Array, length: number): boolean {
    const start = starts.at(id)
    const end = id + 1 < starts.length ? starts.at(id + 1) - 1 : bytes.length
    if (end - start !== length) return false
    for (let at = 0; at < length; at += 1) if (bytes.at(start + at) !== word[at]) return false
    return true
  }

  function grow(): void {
    mask = mask * 2 + 1
    slots = new Uint32Array(mask + 1)
    for (let id = 0; id < hashes.length; id += 1) {
      let place = hashes.at(id) & mask
      while (slots[place] !== 0) place = (place + 1) & mask
      slots[place] = id + 1
    }
  }

  return {
    /** Number of the word that the first `length` cells spell; `mixed` is made of all of them. */
    idOf: (word: Uint8Array, length: number, mixed: number): number => {
      const hash = (mixed ^ (mixed >>> 15)) >>> 0
      let place = hash & mask
      for (let kept = slots[place] ?? 0; kept !== 0; kept = slots[place] ?? 0) {
        if (hashes.at(kept - 1) === hash && equal(kept - 1, word, length)) return kept - 1
        place = (place + 1) & mask
      }
      bytes.push(BREAK)
      const id = starts.length
      starts.push(bytes.length)
      hashes.push(hash)
      for (let at = 0; at < length; at += 1) bytes.push(word[at] ?? 0)
      slots[place] = id + 1
      if (hashes.length * 2 > mask) grow()
      return id
    },
    lists: () => {
      const cells = bytes.cells()
      const begins = starts.done()
      return {
        plain: wordListOf(cells, begins, 'plain'),
        mixed: wordListOf(cells, begins, 'mixed'),
      }
    },
  }
}

/** Basis and factor of the hash of Fowler, Noll and Vo, 32 bits. */
const HASH_BASIS = 0x811c9dc5
const HASH_FACTOR = 0x01000193

export function createWordTable(): WordTable {
  const codes = wordCodes()
  const word = new Uint8Array(LONGEST_WORD)
  const words = createWordSet()
  return {
    read: (text, visit) => {
      let long = false
      let length = 0
      let hash = HASH_BASIS
      for (let at = 0; at <= text.length; at += 1) {
        const unit = at < text.length ? text.charCodeAt(at) : 0
        const code = unit < 256 ? (codes[unit] ?? 0) : 0
        if (code !== 0) {
          if (length < LONGEST_WORD) word[length] = code
          length += 1
          hash = Math.imul(hash ^ code, HASH_FACTOR)
        } else if (length > 0) {
          if (length > LONGEST_WORD) long = true
          else visit(words.idOf(word, length, hash))
          length = 0
          hash = HASH_BASIS
        }
      }
      return long
    },
    done: words.lists,
  }
}
