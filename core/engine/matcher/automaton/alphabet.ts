import { closeUnderCase, inCategory, isCaseSensitive } from '../python/char-set.ts'
import type { Member } from './member.ts'
import { packMembers, unpackMembers } from './frozen-parts.ts'
import { lowerCode } from '../python/python-case.ts'
import type { CharSet } from '../python/python-ast.ts'
import { tokenOf } from '../skeleton.ts'

/**
 * The characters of texts, grouped into classes that no pattern of a list can distinguish. Class 0 is the end of the
 * text. A line feed that ends the text has a separate class, because `$` also matches before it. Classes of characters
 * above U+007F are created when a text first contains one.
 */
export interface Alphabet {
  /** Class by UTF-16 unit up to U+FFFF; `UNSEEN` until a text brings the character. */
  readonly classes: Uint16Array
  /** Class of a code point. Creates a new class if it is unlike all earlier characters. */
  classOf(code: number): number
  /** Is the class in the set? (by the number that `addSet` gave) */
  has(kind: number, set: number): boolean
  /** By set: 1 if the class is in it. Undefined for a number without a class. */
  inside(kind: number): Uint8Array | undefined
  /** Undefined for a number that is no class yet. */
  traits(kind: number): Traits | undefined
  readonly size: () => number
  /** [C13] All that it knows, as plain data. */
  freeze(): FrozenAlphabet
}

/** [C13] An alphabet as plain data. */
export interface FrozenAlphabet {
  /** See `packMembers`. */
  readonly members: Int32Array
  readonly classes: Uint16Array
  /** Pairs of a code point above U+FFFF and its class. */
  readonly beyond: Uint32Array
  /** Class after class: 1 for each set, by number, that the class is in. */
  readonly inside: Uint8Array
  /** By class: bits 1, 2 and 4 are its traits, as `Traits` names them. */
  readonly traits: Uint8Array
}

/** Properties of a class that positions test. */
export interface Traits {
  readonly newline: boolean
  /** A word character by Unicode rules, and by ASCII rules. */
  readonly word: boolean
  readonly asciiWord: boolean
}

export const END = 0
export const LAST_NEWLINE = 1
export const UNSEEN = 0xffff

export interface SetList {
  /** Number of the set; the same for sets that are written alike. */
  add(set: CharSet, ascii: boolean): number
  readonly members: readonly Member[]
}

export function createSetList(): SetList {
  const members: Member[] = []
  const numbers = new Map<string, number>()
  return {
    members,
    add(set, ascii) {
      const key = `${JSON.stringify(set)}${ascii}`
      const known = numbers.get(key)
      if (known !== undefined) return known
      const ranges = closeUnderCase(set.ranges, ascii)
      members.push({ set, ascii, ranges, open: isCaseSensitive(set) })
      numbers.set(key, members.length - 1)
      return members.length - 1
    },
  }
}

/** The character, or the token that represents its kind in categories. */
function kindOf(code: number): string {
  const char = String.fromCodePoint(code)
  return code < 0x80 ? char : tokenOf(char)
}

function isMember({ set, ascii, ranges, open }: Member, code: number): boolean {
  if (open) return true
  const low = ascii ? (code < 0x80 ? lowerCode(code) : code) : lowerCode(code)
  const kind = ascii && code > 0x7f ? String.fromCodePoint(code) : kindOf(low)
  const named = ranges.some(([from, to]) => from <= low && low <= to)
  return (named || set.categories.some((one) => inCategory(kind, one, ascii))) !== set.negate
}

function traitsOf(code: number): Traits {
  const kind = kindOf(lowerCode(code))
  return {
    newline: code === 10,
    word: inCategory(kind, 'w', false),
    asciiWord: code < 0x80 && inCategory(kind, 'w', true),
  }
}

/** Characters that get the first classes, so that the most frequent lookups are close together in memory. */
const FREQUENT = ' etaoinsrhldcumfpgywbvk-._/\n,x:1j"q20'

interface Kind {
  /** 1 for each set, by number, that the class is in. */
  readonly inside: Uint8Array
  readonly traits: Traits
}

const NONE: Traits = { newline: false, word: false, asciiWord: false }

const bitsOf = ({ newline, word, asciiWord }: Traits): number =>
  (newline ? 1 : 0) | (word ? 2 : 0) | (asciiWord ? 4 : 0)

/** Classes that are known before any text is read. */
interface Known {
  readonly kinds: Kind[]
  readonly classes: Uint16Array
  readonly beyond: Map<number, number>
}

function nothingKnown(members: readonly Member[]): Known {
  return {
    kinds: [{ inside: new Uint8Array(members.length), traits: NONE }],
    classes: new Uint16Array(0x10000).fill(UNSEEN),
    beyond: new Map(),
  }
}

const signatureOf = ({ inside, traits }: Kind, last: boolean): string =>
  `${inside.join('')}${bitsOf(traits)}${last}`

function alphabetOf(members: readonly Member[], { kinds, classes, beyond }: Known): Alphabet {
  // Class 0, the end, is like no character.
  const bySignature = new Map(
    kinds.slice(1).map((kind, at) => [signatureOf(kind, at + 1 === LAST_NEWLINE), at + 1]),
  )

  function classFor(code: number, last: boolean): number {
    const inside = new Uint8Array(members.length)
    for (const [at, member] of members.entries()) if (isMember(member, code)) inside[at] = 1
    const made = { inside, traits: traitsOf(code) }
    const signature = signatureOf(made, last)
    let kind = bySignature.get(signature)
    if (kind === undefined) {
      // One push, so that an interruption leaves a class too many at worst.
      kind = kinds.push(made) - 1
      bySignature.set(signature, kind)
    }
    return kind
  }

  function classOf(code: number): number {
    const known = code < 0x10000 ? classes[code] : beyond.get(code)
    if (known !== undefined && known !== UNSEEN) return known
    const kind = classFor(code, false)
    if (code < 0x10000) classes[code] = kind
    else beyond.set(code, kind)
    return kind
  }

  if (kinds.length === 1) {
    classFor(10, true)
    for (const char of FREQUENT) classOf(char.charCodeAt(0))
    for (let code = 0; code < 0x80; code += 1) classOf(code)
  }
  return {
    classes,
    classOf,
    has: (kind, set) => kinds[kind]?.inside[set] === 1,
    inside: (kind) => kinds[kind]?.inside,
    traits: (kind) => kinds[kind]?.traits,
    size: () => kinds.length,
    freeze: () => ({
      members: packMembers(members),
      classes: classes.slice(),
      beyond: Uint32Array.from([...beyond].flat()),
      inside: Uint8Array.from(kinds.flatMap(({ inside }) => [...inside])),
      traits: Uint8Array.from(kinds, ({ traits }) => bitsOf(traits)),
    }),
  }
}

/** Classes for the sets of the list, which must be complete. */
export function createAlphabet({ members }: SetList): Alphabet {
  return alphabetOf(members, nothingKnown(members))
}

/**
 * [C13] Restores a frozen alphabet. Null if the data are inconsistent. Throws a RangeError if the members are invalid.
 */
export function thawAlphabet(frozen: FrozenAlphabet): Alphabet | null {
  const { classes, beyond, inside, traits } = frozen
  const members = unpackMembers(frozen.members)
  const count = members.length
  if (classes.length !== 0x10000 || traits.length < 2 || inside.length !== traits.length * count)
    return null
  const kinds = Array.from(traits, (bits, at) => ({
    inside: inside.slice(at * count, (at + 1) * count),
    traits: { newline: (bits & 1) !== 0, word: (bits & 2) !== 0, asciiWord: (bits & 4) !== 0 },
  }))
  const rare = new Map<number, number>()
  for (let at = 0; at < beyond.length; at += 2) rare.set(beyond[at] ?? 0, beyond[at + 1] ?? 0)
  return alphabetOf(members, { kinds, classes: classes.slice(), beyond: rare })
}
