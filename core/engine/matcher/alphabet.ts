import { closeUnderCase, inCategory, isCaseSensitive } from './char-set.ts'
import { lowerCode } from './python-case.ts'
import type { CharSet, Range } from './python-ast.ts'
import { tokenOf } from './text-facts.ts'

/**
 * The characters of texts sorted into classes that no pattern of a list can tell apart. Class 0 is
 * the end of the text; a line feed that ends the text has a class of its own, because `$` may stand
 * before it. Classes of characters above U+007F are found when a text first brings one.
 */
export interface Alphabet {
  /** Class by UTF-16 unit up to U+FFFF; `UNSEEN` until a text brings the character. */
  readonly classes: Uint16Array
  /** Class of a code point; makes a new class where it is like no character before it. */
  classOf(code: number): number
  /** Is the class in the set? (by the number that `addSet` gave) */
  has(kind: number, set: number): boolean
  /** Undefined for a number that is no class yet. */
  traits(kind: number): Traits | undefined
  readonly size: () => number
}

/** What positions ask of a class. */
export interface Traits {
  readonly newline: boolean
  /** A word character by Unicode rules, and by ASCII rules. */
  readonly word: boolean
  readonly asciiWord: boolean
}

export const END = 0
export const LAST_NEWLINE = 1
export const UNSEEN = 0xffff

/** A set with the rules of its pattern. */
interface Member {
  readonly set: CharSet
  readonly ascii: boolean
  readonly ranges: readonly Range[]
  /** Case matters to it: it is taken for every character, and the match is verified. */
  readonly open: boolean
}

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

/** The character, or the token that stands for its kind, as categories know them. */
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

/** Characters that get the first classes, so that what is asked most lies close together. */
const FREQUENT = ' etaoinsrhldcumfpgywbvk-._/\n,x:1j"q20'

interface Kind {
  /** 1 for each set, by number, that the class is in. */
  readonly inside: Uint8Array
  readonly traits: Traits
}

const NONE: Traits = { newline: false, word: false, asciiWord: false }

/** Classes for the sets of the list, which must be complete. */
export function createAlphabet({ members }: SetList): Alphabet {
  const classes = new Uint16Array(0x10000).fill(UNSEEN)
  const beyond = new Map<number, number>()
  const bySignature = new Map<string, number>()
  const kinds: Kind[] = [{ inside: new Uint8Array(members.length), traits: NONE }]

  function classFor(code: number, last: boolean): number {
    const inside = Uint8Array.from(members, (member) => (isMember(member, code) ? 1 : 0))
    const traits = traitsOf(code)
    const signature = `${inside.join('')}${JSON.stringify(traits)}${last}`
    let kind = bySignature.get(signature)
    if (kind === undefined) {
      // One push, so that an interruption leaves a class too many at worst.
      kind = kinds.push({ inside, traits }) - 1
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

  classFor(10, true)
  for (const char of FREQUENT) classOf(char.charCodeAt(0))
  for (let code = 0; code < 0x80; code += 1) classOf(code)
  return {
    classes,
    classOf,
    has: (kind, set) => kinds[kind]?.inside[set] === 1,
    traits: (kind) => kinds[kind]?.traits,
    size: () => kinds.length,
  }
}
