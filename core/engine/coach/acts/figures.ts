import type { ProofSign } from '../../schema/coach-acts.ts'

/** A figure that says how much of something went well: "2 failed", "118 passed", "29 of 40 migrated". */
export interface Figure {
  readonly sign: ProofSign
  /** The words that say how much. */
  readonly scope: string
  /** In UTF-16 units of the text that was read. */
  readonly start: number
  readonly end: number
}

interface Shape {
  readonly pattern: RegExp
  /** Null where the words only look like a figure. */
  readonly sign: (groups: Readonly<Record<string, string | undefined>>) => ProofSign | null
}

const NUMBER = String.raw`(?<![\w.,/#-])(?<n>\d{1,7}|no|zero|none)`
const BAD = String.raw`(?:fail(?:ed|ing|ures?|s)?|errors?|broken|crash(?:ed|es)?|timed\s+out|not\s+ok)`
const GOOD = String.raw`(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|successful|green|ok)`
const DONE = String.raw`(?:pass(?:ed|es|ing)?|succe\w+|done|complet\w+|finished|migrated|processed|converted|ported|green|ok|ready|implemented|fixed|covered)`

/** Bounded patterns: every repeat has an end, and no two neighbours match the same. */
const SHAPES: readonly Shape[] = [
  {
    pattern: new RegExp(
      String.raw`(?<![\w.,/#-])(?<n>\d{1,7})[ \t]*(?:/|of|out[ \t]of)[ \t]*(?:the[ \t]+|all[ \t]+)?(?<of>\d{1,7})(?![\w/-])[ \t]+(?:[a-z-]{1,16}[ \t]+){0,3}?(?<word>${DONE}|${BAD})\b`,
      'gi',
    ),
    sign: ({ n, of, word }) => {
      if (new RegExp(`^${BAD}$`, 'i').test(word ?? '')) return isNone(n) ? 'for' : 'against'
      return Number(n) < Number(of) ? 'part' : 'for'
    },
  },
  {
    pattern: new RegExp(String.raw`${NUMBER}[ \t]+(?:[a-z-]{1,16}[ \t]+){0,2}?${BAD}\b`, 'gi'),
    sign: ({ n }) => (isNone(n) ? 'for' : 'against'),
  },
  {
    pattern: new RegExp(String.raw`\b${BAD}\b[ \t]*[:=][ \t]*(?<n>\d{1,7})\b`, 'gi'),
    sign: ({ n }) => (isNone(n) ? 'for' : 'against'),
  },
  {
    pattern: /^#[ \t]fail[ \t]+(?<n>\d{1,7})\b/gim,
    sign: ({ n }) => (isNone(n) ? 'for' : 'against'),
  },
  {
    pattern: new RegExp(String.raw`${NUMBER}[ \t]+(?:[a-z-]{1,16}[ \t]+){0,2}?${GOOD}\b`, 'gi'),
    sign: ({ n }) => (isNone(n) ? null : 'for'),
  },
]

function isNone(count: string | undefined): boolean {
  return count === undefined || !/[1-9]/.test(count)
}

/** What is told of the past, of something that was repaired, or of failures that were there before. */
const EXCUSED =
  /\b(?:fix(?:ed|es|ing)?|resolv\w+|repair\w+|was|were|had|before|previously|earlier|used[ \t]+to|pre-?existing|unrelated|also[ \t]+on[ \t]+main|expected|handl\w+|if|when|would|could|instead[ \t]+of|down[ \t]+from)\b/i

const MOST = 40

/** [V72] The figures of a text with their signs; failing ones that it excuses are left out. */
export function figuresOf(text: string): readonly Figure[] {
  const found: Figure[] = []
  for (const { pattern, sign } of SHAPES) {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= MOST) return found
      const { index: start } = match
      const end = start + match[0].length
      const said = sign(match.groups ?? {})
      if (said === null || found.some((one) => start < one.end && end > one.start)) continue
      if (said === 'against' && EXCUSED.test(lineAround(text, start, end))) continue
      found.push({ sign: said, scope: match[0].replace(/\s+/g, ' ').trim(), start, end })
    }
  }
  return found
}

const NEAR = 160

/** The line of a figure, as far as it is near. */
function lineAround(text: string, start: number, end: number): string {
  const from = Math.max(text.lastIndexOf('\n', start) + 1, start - NEAR)
  const next = text.indexOf('\n', end)
  return text.slice(from, Math.min(next < 0 ? text.length : next, end + NEAR))
}
