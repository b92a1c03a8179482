import type { RedactionKind } from '../schema/redaction.ts'
import { anchorsOf, type Anchors } from './anchors.ts'
import { afterEscape, startsWord, touchesMark } from './place.ts'
import type { Rule } from './rule.ts'
import { PATTERNS, RULES } from './rules.ts'
import { isMixed } from './secret-like.ts'
import { createRunEnd, unwrapped, type RunEnd } from './wrapped.ts'

/** A value that is taken out, with its place in the text. */
export interface Secret {
  readonly kind: RedactionKind
  /** Name of the rule that recognised it. */
  readonly rule: string
  readonly start: number
  readonly end: number
}

const sets = new Map<string, Anchors>()

function anchorsFor(kinds: readonly RedactionKind[]): Anchors {
  const key = kinds.toSorted().join(' ')
  const known = sets.get(key)
  if (known !== undefined) return known
  const made = anchorsOf(RULES.filter((rule) => kinds.includes(rule.kind)))
  sets.set(key, made)
  return made
}

/**
 * [R1 to R6] Values of these kinds in a text, in order. Overlapping values become one: from the first start to the last
 * end, under the kind of the longest. Linear time for any text.
 */
export function findSecrets(text: string, kinds: readonly RedactionKind[]): readonly Secret[] {
  const found = scanAnchors(text, kinds)
  scanPatterns(text, kinds, found)
  scanEncoded(text, kinds, found)
  return found.length < 2 ? found : joined(found)
}

function scanAnchors(text: string, kinds: readonly RedactionKind[]): Secret[] {
  const found: Secret[] = []
  const runs = new Map<Rule, Run>()
  const runEnd = createRunEnd(text)
  anchorsFor(kinds).each(text, (at, rule) => {
    let run = runs.get(rule)
    if (run === undefined) runs.set(rule, (run = createRun(rule, text, runEnd)))
    const secret = run(at)
    if (secret !== null && !touchesMark(text, secret.start, secret.end)) found.push(secret)
  })
  return found
}

function scanPatterns(text: string, kinds: readonly RedactionKind[], found: Secret[]): void {
  for (const { kind, name, least, shape, accept } of PATTERNS) {
    if (text.length < least || !kinds.includes(kind)) continue
    for (const match of text.matchAll(shape)) {
      const value = valueIn(match)
      const start = match.index + match[0].indexOf(value)
      const end = start + value.length
      if (accept(value, text, start) && !touchesMark(text, start, end)) {
        found.push({ kind, rule: name, start, end })
      }
    }
  }
}

/** [F34] A text in base64 that holds a key or token is taken out whole. */
function scanEncoded(text: string, kinds: readonly RedactionKind[], found: Secret[]): void {
  const wanted = kinds.filter((kind) => kind === 'key' || kind === 'token')
  if (wanted.length === 0) return
  for (const { start, end, text: inside } of encodedTexts(text)) {
    const [first] = scanAnchors(inside, wanted)
    if (first === undefined || touchesMark(text, start, end)) continue
    found.push({ kind: first.kind, rule: `base64 of: ${first.rule}`, start, end })
  }
}

function valueIn({ 0: all, groups = {} }: RegExpMatchArray): string {
  const { v, quoted, plain } = groups
  return v ?? quoted ?? plain ?? all
}

type Run = (at: number) => Secret | null
interface Look {
  readonly start: number
  readonly end: number
  readonly isSecret: boolean
}

/** One rule over one text. Never examines a matched or refused range twice. */
function createRun(rule: Rule, text: string, runEnd: RunEnd): Run {
  const { kind, name, before, back = 0 } = rule
  const look = lookOf(rule, text, runEnd)
  let seen = 0
  return (anchor) => {
    const at = anchor - back
    if (at < seen || (before === 'word' && !startsWord(text, at))) return null
    const found = look(at)
    if (found === null) return null
    const { start, end, isSecret } = found
    if (isSecret || rule.lookAgain !== true) seen = end
    return isSecret ? { kind, rule: name, start, end } : null
  }
}

function lookOf(rule: Rule, text: string, runEnd: RunEnd): (at: number) => Look | null {
  const find = rule.find?.(text)
  if (find === undefined) return (at) => looked(rule, text, at, runEnd)
  return (at) => {
    const span = find(at)
    return span === null ? null : { start: span[0], end: span[1], isSecret: true }
  }
}

function looked(rule: Rule, text: string, at: number, runEnd: RunEnd): Look | null {
  const direct = matched(rule, text, at)
  if (rule.wraps !== true || direct?.isSecret === false) return direct
  const lineEnd = runEnd(at)
  if (direct === null ? lineEnd - at < SHORTEST : direct.end !== lineEnd) return direct
  const whole = unwrapped(text, at, runEnd)
  if (whole === null) return direct
  const joined = matched(rule, whole.text, 0)
  if (joined?.isSecret !== true || joined.end <= whole.first) return direct
  const goesOn =
    direct === null
      ? isMixed(whole.text.slice(0, joined.end))
      : isTail(whole.text.slice(whole.first, joined.end))
  return goesOn ? { start: at, end: whole.placeOf(joined.end), isSecret: true } : direct
}

/** Minimum units of a value before the line end, so that a word at the end of a line does not count. */
const SHORTEST = 12

/** Whether a continuation belongs to a value that is already complete: not a word and not a commit hash. */
function isTail(rest: string): boolean {
  return rest.length >= 8 && /[a-z]/u.test(rest) && /[A-Z]/u.test(rest) && /\d/u.test(rest)
}

function matched({ shape, accept }: Rule, text: string, at: number): Look | null {
  if (shape === undefined) return null
  shape.lastIndex = at
  const match = shape.exec(text)
  if (match === null) return null
  const value = valueIn(match)
  const start = at + match[0].lastIndexOf(value)
  return { start, end: start + value.length, isSecret: accept?.(match, text) ?? true }
}

function joined(found: readonly Secret[]): readonly Secret[] {
  const all: Secret[] = []
  let longest = 0
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (last === undefined || next.start >= last.end) {
      all.push(next)
      longest = next.end - next.start
      continue
    }
    const length = next.end - next.start
    const named = length > longest ? next : last
    longest = Math.max(longest, length)
    all[all.length - 1] = { ...named, start: last.start, end: Math.max(last.end, next.end) }
  }
  return all
}

/** Base64 of eighteen bytes and more, with the line ends that `base64` writes. */
const RUN = /[A-Za-z0-9+/]{24,}(?:(?:\r?\n|\\n)[A-Za-z0-9+/]{4,})*={0,2}/gu
const BREAK = /\r?\n|\\n/gu
const MAYBE = /[A-Za-z0-9+/]{24}/u
const SHORTEST_RUN = 24
/** Maximum units read from a run. A longer run is a file, whose beginning shows its type. */
const MOST = 40_000
const CODES = new Map(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (char, code) => [
    char.charCodeAt(0),
    code,
  ]),
)

interface Encoded {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** [F34] Runs of base64 that hold readable text, with that text. Linear: each unit is read at most twice. */
function* encodedTexts(text: string): Generator<Encoded> {
  // Most texts of a session are too short to contain any. The search itself is the main cost.
  if (text.length < SHORTEST_RUN || !MAYBE.test(text)) return
  for (const match of text.matchAll(RUN)) {
    const end = match.index + match[0].length
    const start = afterEscape(text, match.index, end)
    const all = text.slice(start, end)
    const whole = decoded(all.replaceAll(BREAK, ''))
    if (whole !== null) {
      yield { start, end, text: whole }
      continue
    }
    const first = all.search(BREAK)
    const line = first < 0 ? null : decoded(all.slice(0, first))
    if (line !== null) yield { start, end: start + first, text: line }
  }
}

/** The decoded text of base64, or null if it holds no text. Most runs are decided by their first bytes. */
function decoded(base64: string): string | null {
  let text = ''
  let bits = 0
  let held = 0
  const length = Math.min(base64.length, MOST)
  for (let at = 0; at < length; at += 1) {
    const code = CODES.get(base64.charCodeAt(at))
    if (code === undefined) break
    bits = (bits << 6) | code
    held += 6
    if (held < 8) continue
    held -= 8
    const byte = (bits >> held) & 255
    bits &= (1 << held) - 1
    if (byte > 126 || (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)) return null
    text += String.fromCharCode(byte)
  }
  return text
}
