import { keptIn } from '../maps.ts'
import { namedPaths, type NamedPath } from './paths.ts'
import { lowerAsciiText, lowerText } from './python-case.ts'

/**
 * Forms of a text that patterns run on.
 *
 * `text`: as it is. `lower`, `asciiLower`: lower case by Python's rules, same UTF-16 length.
 * `skeleton`, `asciiSkeleton`: lower case in which every character above U+007F is replaced by one
 * of four tokens (letter, digit, space, other). Patterns that name no such character cannot tell
 * two characters of one kind apart, so they answer alike on text and skeleton; and the skeleton is
 * Latin-1 with one unit a character, which native regular expressions handle at full speed.
 * `jsLower`: lower case as JavaScript makes it (K11). `paths`: the paths that the text names, one a line (K16).
 */
export type TextForm =
  'text' | 'lower' | 'asciiLower' | 'skeleton' | 'asciiSkeleton' | 'jsLower' | 'paths'

/** Tokens of a skeleton. Any units above U+007F would do; these keep strings in Latin-1. */
export const LETTER = '\u00e0'
export const DIGIT = '\u00e1'
export const SPACE = '\u00e2'
export const OTHER = '\u00e3'

/** A text with its forms, each made when first needed. */
export interface TextFacts {
  readonly text: string
  /** No character above U+007F: every form but `text` is then the plain lower case. */
  readonly ascii: boolean
  readonly forms: Map<TextForm, string>
}

/** Space characters above U+007F in Python's `str.isspace`. */
const WIDE_SPACE = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/
const WIDE_RUN = /[^\0-\x7f]+/g
const FOLDED_TO_ASCII: ReadonlyMap<string, string> = new Map([
  ['\u0131', 'i'],
  ['\u017f', 's'],
])

/** Memo of `tokenOf`: pure, so sharing it changes no answer. Filled as texts bring characters. */
const tokens = new Map<string, string>()

/**
 * What stands for a character above U+007F in a skeleton. Under IGNORECASE no pattern can tell ı from
 * i or ſ from s, so they stand for those.
 */
export function tokenOf(char: string): string {
  const folded = FOLDED_TO_ASCII.get(char)
  if (folded !== undefined) return folded
  if (/\p{Nd}/u.test(char)) return DIGIT
  if (/[\p{L}\p{N}]/u.test(char)) return LETTER
  return WIDE_SPACE.test(char) ? SPACE : OTHER
}

function skeletonOfRun(run: string): string {
  let skeleton = ''
  for (const char of run) {
    let token = tokens.get(char)
    if (token === undefined) {
      token = tokenOf(char)
      tokens.set(char, token)
    }
    skeleton += token
  }
  return skeleton
}

/** Memo: a text's paths are looked for once. */
const paths = new WeakMap<TextFacts, readonly NamedPath[]>()

function pathsOf(facts: TextFacts): readonly NamedPath[] {
  return keptIn(paths, facts, () => namedPaths(facts.text))
}

/** Offsets in the list of paths as offsets in the text; the end of a path is that of its last character. */
function pathMapper(facts: TextFacts): (offset: number) => number {
  const starts: Array<NamedPath & { readonly from: number }> = []
  let from = 0
  for (const one of pathsOf(facts)) {
    starts.push({ ...one, from })
    from += one.path.length + 1
  }
  return (offset) => {
    const own = starts.findLast((one) => one.from <= offset)
    return own === undefined ? 0 : own.at + Math.min(offset - own.from, own.path.length)
  }
}

/** Of a text whose lower case is longer: characters that become several begin where they stood. */
function lowerMapper({ text }: TextFacts): (offset: number) => number {
  const starts: number[] = []
  let unit = 0
  for (const char of text) {
    for (let at = 0; at < char.toLowerCase().length; at += 1)
      starts.push(unit + Math.min(at, char.length - 1))
    unit += char.length
  }
  return (offset) => starts[offset] ?? unit
}

function makeForm(facts: TextFacts, form: TextForm): string {
  const { text, ascii } = facts
  if (form === 'text') return text
  if (form === 'jsLower') return text.toLowerCase()
  if (form === 'paths')
    return pathsOf(facts)
      .map(({ path }) => path)
      .join('\n')
  if (ascii) return form === 'lower' ? text.toLowerCase() : formOf(facts, 'lower')
  if (form === 'lower') return lowerText(text)
  if (form === 'asciiLower') return lowerAsciiText(text)
  if (form === 'skeleton') return formOf(facts, 'lower').replace(WIDE_RUN, skeletonOfRun)
  return formOf(facts, 'asciiLower').replace(/[^\0-\x7f]/gu, OTHER)
}

/** The text in the given form. */
export function formOf(facts: TextFacts, form: TextForm): string {
  let made = facts.forms.get(form)
  if (made === undefined) {
    made = makeForm(facts, form)
    facts.forms.set(form, made)
  }
  return made
}

/** Prepares a text for any number of patterns. */
export function createTextFacts(text: string): TextFacts {
  return { text, ascii: !/[^\0-\x7f]/.test(text), forms: new Map() }
}

/** Translates an offset in a form to an offset in the text: skeletons have one unit a code point. */
export function offsetMapper(facts: TextFacts, form: TextForm): (offset: number) => number {
  if (form === 'paths') return pathMapper(facts)
  if (formOf(facts, form).length === facts.text.length) return (offset) => offset
  if (form === 'jsLower') return lowerMapper(facts)
  const starts: number[] = []
  let unit = 0
  for (const char of facts.text) {
    starts.push(unit)
    unit += char.length
  }
  return (offset) => starts[offset] ?? unit
}

/** The UTF-16 place of a character that is counted in code points. */
export function unitOf(text: string, character: number): number {
  let unit = 0
  for (let count = 0; count < character; count += 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
  return unit
}
