import { keptIn } from '../maps.ts'
import { namedPaths, type NamedPath } from './paths.ts'
import { lowerAsciiText, lowerText } from './python/python-case.ts'
import { OTHER, skeletonOf } from './skeleton.ts'

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

/** A text with its forms, each made when first needed. */
export interface TextFacts {
  readonly text: string
  /** No character above U+007F: every form but `text` is then the plain lower case. */
  readonly ascii: boolean
  readonly forms: Map<TextForm, string>
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

/** For a text whose lower case is longer: characters that expand to several map to their original position. */
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
  if (form === 'skeleton') return skeletonOf(formOf(facts, 'lower'))
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
