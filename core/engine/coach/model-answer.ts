import { z } from 'zod'
import {
  OutputType,
  type CoachRules,
  type Verdict,
  type VerdictFlag,
  type VerdictSource,
} from '../schema/coach.ts'

/** [V6] The answer expected from a model. Every field may be missing or have another type. */
const Answer = z.looseObject({
  type: z.string(),
  confidence: z.union([z.number(), z.string()]).nullish().catch(null),
  reason: z.string().nullish().catch(null),
  coaching_message: z.string().nullish().catch(null),
})
type Answer = z.infer<typeof Answer>

/**
 * [V6] Reads a model's answer: JSON, also in fences or within prose. Returns null if it holds no verdict; the rules
 * then decide alone. The reason is never parsed.
 */
export function readModelAnswer(
  raw: string,
  rules: Pick<CoachRules, 'minConfidence'>,
  source: VerdictSource,
): Verdict | null {
  for (const value of objectsIn(raw)) {
    const answer = Answer.safeParse(value)
    if (!answer.success) continue
    const type = OutputType.safeParse(answer.data.type.trim().toLowerCase())
    if (type.success) return settle(type.data, answer.data, rules.minConfidence, source)
  }
  return null
}

function settle(given: OutputType, answer: Answer, least: number, source: VerdictSource): Verdict {
  const read = confidenceOf(answer.confidence)
  // A number that cannot be read is no confidence at all.
  const confidence = read ?? 0
  const flags: VerdictFlag[] = read === null ? ['bad_confidence'] : []
  const coaching = coachingOf(answer.coaching_message)
  const reason = answer.reason?.trim() ?? ''
  const verdict = { confidence, reason, source, marks: [] }
  if (confidence < least) {
    flags.push('low_confidence')
    return { ...verdict, type: 'question', coaching_message: coaching, flags }
  }
  return { ...verdict, ...branch(given, coaching, flags), flags }
}

/** The presence of coaching decides: a completion with coaching is sent back. A type that the user must see is not. */
function branch(
  given: OutputType,
  coaching: string | null,
  flags: VerdictFlag[],
): Pick<Verdict, 'type' | 'coaching_message'> {
  if (given === 'status') {
    if (coaching === null) flags.push('no_coaching')
    return { type: given, coaching_message: coaching }
  }
  if (coaching === null) return { type: given, coaching_message: null }
  flags.push('coaching_on_pass')
  return given === 'completion'
    ? { type: 'status', coaching_message: coaching }
    : { type: given, coaching_message: null }
}

/** Null for what models write when they mean null. */
function coachingOf(given: string | null | undefined): string | null {
  const said = given?.trim() ?? ''
  return said === '' || /^(?:null|none|n\/a)$/i.test(said) ? null : said
}

/** Below this a number above 1 is no percentage: 1.5 is a mistake, and 8 may be eight of ten. */
const LEAST_PERCENTAGE = 10

/** 0 to 1; percentages (with their sign, or from 10 to 100) and numbers as text are understood. Null for all else. */
function confidenceOf(value: Answer['confidence']): number | null {
  if (value === null || value === undefined) return null
  const text = typeof value === 'number' ? String(value) : value.trim()
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text)
  if (match === null) return null
  const number = Number(match[1])
  const share = match[2] === '%' || number >= LEAST_PERCENTAGE ? number / 100 : number
  return share >= 0 && share <= 1 ? share : null
}

const MOST_TRIES = 20

/** Objects of a text that may be JSON, JSON in fences, or prose with JSON in it; the outermost first. */
function* objectsIn(raw: string) {
  const whole = parse(raw)
  if (whole !== undefined) yield whole
  let tries = 0
  for (let at = raw.indexOf('{'); at >= 0 && tries < MOST_TRIES; tries += 1) {
    const end = endOfObject(raw, at)
    const value = end < 0 ? undefined : parse(raw.slice(at, end))
    if (value !== undefined) yield value
    at = raw.indexOf('{', value === undefined ? at + 1 : end)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function endOfObject(text: string, start: number): number {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at += 1) {
    const c = text.charAt(at)
    if (quoted) {
      if (c === '\\') at += 1
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '{') depth += 1
    else if (c === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}
