import { type Anchors, anchorsOf } from './anchors.ts'
import type { RedactionKind } from '../schema/redaction.ts'
import { encodedTexts } from './encoded.ts'
import { startsWord, touchesMark } from './place.ts'
import type { Rule } from './rule.ts'
import { PATTERNS, RULES } from './rules.ts'
import { isMixed } from './secret-like.ts'
import { createRunEnd, type RunEnd, unwrapped } from './wrapped.ts'

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
 * [R1 to R6] Values of these kinds in a text, in order. What overlaps is one: from the first start to
 * the last end, under the kind of the longest. Linear in the text, whatever it is.
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

/** One rule over one text: never looks twice at what it has taken or refused. */
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

/** Units of a value before the line end, so that a word at the end of a line is none. */
const SHORTEST = 12

/** What goes on behind a value that is complete: no word and no commit. */
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
