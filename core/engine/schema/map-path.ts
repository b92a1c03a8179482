import { type Result, err, ok } from '../result.ts'

/** One step of a path, from a value to those that it leads to. */
export type PathStep =
  | { readonly kind: 'name'; readonly name: string }
  /** Of a list; a negative one counts from its end. */
  | { readonly kind: 'index'; readonly index: number }
  /** Every item of a list, or every member of an object. */
  | { readonly kind: 'all' }
  /** The value around it. */
  | { readonly kind: 'up' }

/** [I140] A path of a mapping, parsed. */
export interface MapPath {
  /** `root`: the line, item or document (`$`); `here`: the record or part in hand (`@`). */
  readonly from: 'root' | 'here'
  readonly steps: readonly PathStep[]
  /** As it is written. */
  readonly text: string
}

/** So long a path is a mistake. */
export const LONGEST_PATH = 300
const MOST_STEPS = 24
const ENDS_NAME = new Set(['.', '[', ']', '^', '*', "'", '"', ' ', '\t', '\n', '\r', '$', '@'])

interface Parsed {
  readonly step: PathStep
  /** Start of the next step. */
  readonly end: number
}

/**
 * [I140] Parses `$.turns[*].text`: `.name`, `['any name']`, `[0]`, `[-1]`, `[*]` or `.*`, and `^` for the enclosing
 * value. There are no filters, no recursive search and no expressions. The work of a path is therefore bounded by its
 * length and by the values it visits. The error states the problem and its position.
 */
export function parsePath(text: string): Result<MapPath, string> {
  if (text.length > LONGEST_PATH) return err(`a path has at most ${LONGEST_PATH} characters`)
  const first = text.charAt(0)
  if (first !== '$' && first !== '@')
    return err(
      'a path begins with $ (the line, item or document) or @ (the record), as in @.message.text',
    )
  const steps: PathStep[] = []
  for (let at = 1; at < text.length;) {
    const parsed = stepAt(text, at)
    if (typeof parsed === 'string') return err(`${parsed} (at "${text.slice(at, at + 20)}")`)
    steps.push(parsed.step)
    if (steps.length > MOST_STEPS) return err(`a path has at most ${MOST_STEPS} steps`)
    at = parsed.end
  }
  return ok({ from: first === '$' ? 'root' : 'here', steps, text })
}

function stepAt(text: string, at: number): Parsed | string {
  const sign = text.charAt(at)
  if (sign === '^') return { step: { kind: 'up' }, end: at + 1 }
  if (sign === '[') return bracketAt(text, at)
  if (sign !== '.') return 'a step begins with a dot, a bracket or ^'
  if (text.charAt(at + 1) === '*') return { step: { kind: 'all' }, end: at + 2 }
  let end = at + 1
  while (end < text.length && !ENDS_NAME.has(text.charAt(end))) end += 1
  if (end > at + 1) return { step: { kind: 'name', name: text.slice(at + 1, end) }, end }
  return text.charAt(end) === '.'
    ? 'two dots search all depths, which paths of a mapping do not: write the names between'
    : "a name follows a dot; a name with other signs is written ['like this']"
}

function bracketAt(text: string, at: number): Parsed | string {
  const quote = text.charAt(at + 1)
  if (quote === "'" || quote === '"') {
    const close = text.indexOf(quote, at + 2)
    if (close < 0 || text.charAt(close + 1) !== ']') return 'the bracket with a name does not close'
    return { step: { kind: 'name', name: text.slice(at + 2, close) }, end: close + 2 }
  }
  const close = text.indexOf(']', at)
  if (close < 0) return 'a bracket does not close'
  const inside = text.slice(at + 1, close)
  if (inside === '*') return { step: { kind: 'all' }, end: close + 1 }
  const index = Number(inside)
  if (inside.trim() === '' || !Number.isSafeInteger(index))
    return "in brackets stands a number, * or a name in quotes: [0], [*], ['name']"
  return { step: { kind: 'index', index }, end: close + 1 }
}
