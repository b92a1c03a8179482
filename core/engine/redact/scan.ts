import type { RedactionKind } from '../schema/redaction.ts'
import type { Rule } from './rule.ts'
import { RULES } from './rules.ts'

/** A value that is taken out, with its place in the text. */
export interface Secret {
  readonly kind: RedactionKind
  /** Name of the rule that recognised it. */
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** Anchors of some rules as one pattern; `rules` has the rules of an anchor as it was matched. */
interface AnchorSet {
  readonly pattern: RegExp
  readonly anyCase: boolean
  readonly rules: ReadonlyMap<string, readonly Rule[]>
}

function anchorSet(rules: readonly Rule[], anyCase: boolean): AnchorSet | null {
  const byAnchor = new Map<string, Rule[]>()
  for (const rule of rules) {
    if ((rule.anyCase ?? false) !== anyCase) continue
    for (const anchor of rule.anchors) byAnchor.set(anchor, [...(byAnchor.get(anchor) ?? []), rule])
  }
  if (byAnchor.size === 0) return null
  const escaped = [...byAnchor.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((anchor) => anchor.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`))
  const pattern = new RegExp(escaped.join('|'), anyCase ? 'gi' : 'g')
  return { pattern, anyCase, rules: byAnchor }
}

const sets = new Map<string, readonly AnchorSet[]>()

function setsFor(kinds: readonly RedactionKind[]): readonly AnchorSet[] {
  const key = kinds.toSorted().join(' ')
  const known = sets.get(key)
  if (known !== undefined) return known
  const rules = RULES.filter((rule) => kinds.includes(rule.kind))
  const made = [anchorSet(rules, false), anchorSet(rules, true)].filter((set) => set !== null)
  sets.set(key, made)
  return made
}

/**
 * [R1 to R6] Values of these kinds in a text, in order. What overlaps is one: from the first start to
 * the last end, under the kind of the longest. Linear in the text, whatever it is.
 */
export function findSecrets(text: string, kinds: readonly RedactionKind[]): readonly Secret[] {
  const found: Secret[] = []
  for (const set of setsFor(kinds)) scanSet(text, set, found)
  return found.length < 2 ? found : joined(found)
}

function scanSet(text: string, { pattern, anyCase, rules }: AnchorSet, found: Secret[]): void {
  const runs = new Map<Rule, Run>()
  pattern.lastIndex = 0
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    const anchor = anyCase ? hit[0].toLowerCase() : hit[0]
    for (const rule of rules.get(anchor) ?? []) {
      let run = runs.get(rule)
      if (run === undefined) runs.set(rule, (run = createRun(rule, text)))
      const secret = run(hit.index)
      if (secret !== null && !touchesMark(text, secret)) found.push(secret)
    }
  }
}

function valueIn({ 0: all, groups = {} }: RegExpExecArray): string {
  const { v, quoted, plain } = groups
  return v ?? quoted ?? plain ?? all
}

type Run = (at: number) => Secret | null

/** One rule over one text: never looks twice at what it has taken or refused. */
function createRun(rule: Rule, text: string): Run {
  const { kind, name, shape, accept, before } = rule
  const find = rule.find?.(text)
  let seen = 0
  return (at) => {
    if (at < seen || (before === 'word' && !startsWord(text, at))) return null
    if (find !== undefined) {
      const span = find(at)
      if (span === null) return null
      seen = span[1]
      return { kind, rule: name, start: span[0], end: span[1] }
    }
    if (shape === undefined) return null
    shape.lastIndex = at
    const match = shape.exec(text)
    if (match === null) return null
    const value = valueIn(match)
    const start = at + match[0].lastIndexOf(value)
    const end = start + value.length
    const isSecret = accept?.(match, text) ?? true
    if (isSecret || rule.lookAgain !== true) seen = end
    return isSecret ? { kind, rule: name, start, end } : null
  }
}

/** Not behind a letter or digit; but `\n` and its like, as JSON writes them, are no letters. */
function startsWord(text: string, at: number): boolean {
  if (at === 0) return true
  // What was taken out before an anchor was a word: it counts as one ever after [R5].
  if (text[at - 1] === ']') return !MARK_BEFORE.test(text.slice(Math.max(0, at - 24), at))
  if (!/[A-Za-z0-9]/u.test(text[at - 1] ?? '')) return true
  let slashes = 0
  while (text[at - 2 - slashes] === '\\') slashes += 1
  if (slashes % 2 === 1) return /[bfnrt]/u.test(text[at - 1] ?? '')
  return /\\u[\da-f]{4}$/iu.test(text.slice(Math.max(0, at - 6), at))
}

const MARK = /\[REDACTED:[a-z]{1,9}\]/u
const MARK_BEFORE = /\[REDACTED:[a-z]{1,9}\]$/u
const MARK_BEHIND = /^\[REDACTED:[a-z]{1,9}\]/u

/** [R5] What was taken out before is left alone, and so is what hangs on it. */
function touchesMark(text: string, { start, end }: Secret): boolean {
  // A dot between a mark and what hangs on it: the rest of an address whose beginning was a key.
  const joint = /[.+_-]/u.test(text[start - 1] ?? '') ? start - 1 : start
  if (text[joint - 1] === ']' && MARK_BEFORE.test(text.slice(Math.max(0, joint - 24), joint))) {
    return true
  }
  if (text[end] === '[' && MARK_BEHIND.test(text.slice(end, end + 24))) return true
  return (
    MARK.test(text.slice(Math.max(0, start - 20), Math.min(text.length, end + 20))) &&
    inMark(text, start, end)
  )
}

function inMark(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - 24)
  for (const mark of text.slice(from, end + 24).matchAll(new RegExp(MARK, 'gu'))) {
    const at = from + mark.index
    if (at < end && at + mark[0].length > start) return true
  }
  return false
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
