import type { Proof, ProofSign, SentenceAct } from '../../schema/coach-acts.ts'
import type { CoachMark } from '../../schema/coach.ts'
import { ownOf } from '../../schema/own.ts'
import type { Findings, FoundCue } from '../cues.ts'
import { namesCommand, particularsIn } from './particulars.ts'
import { ABOUT_RESULT, ACT_OF_CUE, COUNTED, NOT_WITH_COURTESY, SETTLED_BY } from './table.ts'

/** A sentence with all cues that count in it, for the rules over acts. */
export interface ReadSentence extends SentenceAct {
  readonly cues: readonly FoundCue[]
  /** Whether the sentence names the command that was run. */
  readonly command: boolean
  /** The agent's own words, with shown material blanked out. */
  readonly text: string
}

/** [V70] The acts of an output: one a sentence, with the evidence that belongs to it. */
export function readActs(text: string, found: Findings): readonly ReadSentence[] {
  const proofs = proofsBySentence(text, found)
  const cues = Map.groupBy(found.cues, ({ sentence }) => sentence)
  const read = found.sentences.map(({ start, end, text: said }, at): ReadSentence => {
    const own = counting(cues.get(at) ?? [])
    const evidence = proofs.get(at) ?? []
    const shown = text.slice(start, end)
    const particulars = particularsIn(shown) + evidence.length
    return {
      span: [start, end],
      ...actOf(own, evidence),
      settled: false,
      particulars,
      proofs: evidence,
      cues: own,
      text: said,
      command: namesCommand(shown),
    }
  })
  return read.map((sentence, at) =>
    isSettled(sentence, read.slice(at + 1)) ? { ...sentence, settled: true } : sentence,
  )
}

function counting(cues: readonly FoundCue[]): readonly FoundCue[] {
  const isCourteous = cues.some(({ kind }) => kind === 'courtesy')
  return isCourteous ? cues.filter(({ kind }) => !NOT_WITH_COURTESY.has(kind)) : cues
}

type Told = Pick<SentenceAct, 'act' | 'how' | 'cue' | 'guessed'>

function actOf(cues: readonly FoundCue[], proofs: readonly Proof[]): Told {
  const hedges = cues.filter(({ kind }) => kind === 'hedge')
  const isGuess = hedges.some(({ id }) => ABOUT_RESULT.has(id))
  const isCounted = proofs.some(({ kind }) => kind === COUNTED)
  for (const [kind, act] of ACT_OF_CUE) {
    const cue = cues.find((one) => one.kind === kind)
    if (cue === undefined || (kind === 'hedge' && !isGuess)) continue
    // "12 tests passed" claims nothing that it does not count.
    if (kind === 'test_claim' && isCounted) break
    return { act, how: kind, cue: cue.id, guessed: act === 'claim' && hedges.length > 0 }
  }
  return { act: isCounted ? 'proof' : 'deliverable', how: null, cue: null, guessed: false }
}

/**
 * [V72] Evidence belongs to the sentence that contains it. Evidence in a block belongs to the sentence before the
 * block, or to the first one.
 */
function proofsBySentence(
  text: string,
  { sentences, evidence }: Findings,
): ReadonlyMap<number, readonly Proof[]> {
  const figures = figuresOf(text)
  const counted = figures.map(({ sign, scope, start, end }): Proof => ({
    kind: COUNTED,
    sign,
    scope,
    span: [start, end],
  }))
  const shown = evidence
    .filter((mark) => !speaksAgainst(mark, figures))
    .map(({ kind, span }): Proof => ({ kind, sign: 'for', scope: null, span: [...span] }))
  return Map.groupBy([...shown, ...counted], ({ span: [start] }) =>
    Math.max(
      0,
      sentences.findLastIndex((sentence) => sentence.start <= start),
    ),
  )
}

const RUN: ReadonlySet<string> = new Set(['test_output', 'command_output'])
/** A summary line: figures so near to an output are about it. UTF-16 units. */
const NEAR = 40

/** [V72] Output of a run whose own figures fail is no proof: the figures alone speak. */
function speaksAgainst({ kind, span }: CoachMark, figures: readonly Figure[]): boolean {
  const [from, to] = span
  return (
    RUN.has(kind) &&
    figures.some(({ sign, start, end }) => sign !== 'for' && start < to + NEAR && end > from - NEAR)
  )
}

/** [V74] Whether a later sentence says that an obstacle is gone. */
function isSettled({ act, how }: Told, later: readonly ReadSentence[]): boolean {
  if (act !== 'obstacle' || how === null) return false
  const kinds = ownOf(SETTLED_BY, how) ?? []
  return later.some(({ cues }) => cues.some(({ kind }) => kinds.includes(kind)))
}

/** A figure that says how much of something went well: "2 failed", "118 passed", "29 of 40 migrated". */
interface Figure {
  readonly sign: ProofSign
  /** The words that say how much. */
  readonly scope: string
  /** In UTF-16 units of the text that was read. */
  readonly start: number
  readonly end: number
}

interface Shape {
  readonly pattern: RegExp
  /** Null if the words only resemble a figure. */
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

/** Words about the past, about repaired failures, or about failures that existed before. */
const EXCUSED =
  /\b(?:fix(?:ed|es|ing)?|resolv\w+|repair\w+|was|were|had|before|previously|earlier|used[ \t]+to|pre-?existing|unrelated|also[ \t]+on[ \t]+main|expected|handl\w+|if|when|would|could|instead[ \t]+of|down[ \t]+from)\b/i

const MOST = 40

/** [V72] The figures of a text with their signs; failing ones that it excuses are left out. */
function figuresOf(text: string): readonly Figure[] {
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

const CONTEXT = 160

/** The line of a figure, as far as it is near. */
function lineAround(text: string, start: number, end: number): string {
  const from = Math.max(text.lastIndexOf('\n', start) + 1, start - CONTEXT)
  const next = text.indexOf('\n', end)
  return text.slice(from, Math.min(next < 0 ? text.length : next, end + CONTEXT))
}
