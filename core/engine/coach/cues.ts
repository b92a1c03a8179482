import { findSpans, compileSignal, testSignal, type CompiledSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { err, ok, type Problem, type Result } from '../result.ts'
import type { CoachMark, CoachRules, CueKind, EvidenceKind } from '../schema/coach.ts'
import type { SignalEntry } from '../schema/domain.ts'

/** A sentence that the agent says itself; `start` and `end` are UTF-16 units of the whole output. */
interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

const FENCE = /^[ \t]{0,8}(`{3,}|~{3,})/
const QUOTED_LINE = /^[ \t]{0,8}>/
/** Short quotations within a line. Single quotes are left alone, because they may be apostrophes. */
const QUOTATIONS = [/`[^`\n]{1,300}`/g, /"[^"\n]{1,300}"/g, /“[^”\n]{1,300}”/g, /«[^»\n]{1,300}»/g]
const SENTENCE_END = /[.!?…]+(?=["')\]*_]{0,4}(?:\s|$))|[。！？]+|\n+/g
const BLANK = /[^\n]/g

/**
 * [V3] The output with everything that the agent only shows blanked out, unit for unit: fenced
 * blocks (also one that is never closed), quoted lines, inline code and quotations.
 */
export function maskShown(text: string): string {
  let fence: string | null = null
  const lines = text.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null
      return blank(line)
    }
    if (mark !== undefined) {
      fence = mark
      return blank(line)
    }
    return QUOTED_LINE.test(line) ? blank(line) : line
  })
  return QUOTATIONS.reduce(
    (masked, quotation) => masked.replace(quotation, blank),
    lines.join('\n'),
  )
}

function blank(text: string): string {
  return text.replace(BLANK, ' ')
}

/** [V3] The sentences that the agent says itself, in order. List items and headings are sentences. */
export function sentencesOf(text: string): readonly Sentence[] {
  const masked = maskShown(text)
  const sentences: Sentence[] = []
  let start = 0
  const take = (end: number): void => {
    const sentence = masked.slice(start, end)
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push({ text: sentence, start, end })
    start = end
  }
  for (const match of masked.matchAll(SENTENCE_END)) take(match.index + match[0].length)
  take(masked.length)
  return sentences
}

interface CompiledCue {
  readonly id: string
  readonly kind: CueKind
  readonly signal: CompiledSignal
  readonly unless: CompiledSignal | null
}

interface CompiledEvidence {
  readonly id: string
  readonly kind: EvidenceKind
  readonly signal: CompiledSignal
}

/** Rules ready to judge. */
export interface Coach {
  readonly rules: CoachRules
  readonly cues: readonly CompiledCue[]
  readonly evidence: readonly CompiledEvidence[]
}

/** A cue in a sentence. `quote` is the matched text. */
export interface FoundCue {
  readonly id: string
  readonly kind: CueKind
  /** Place of its sentence among the sentences. */
  readonly sentence: number
  readonly quote: string
  readonly mark: CoachMark
}

/** All that the rules found in one output. */
export interface Findings {
  readonly sentences: readonly Sentence[]
  readonly cues: readonly FoundCue[]
  readonly evidence: readonly CoachMark[]
}

/** Sentences searched at most. The deciding ones occur well before this limit. */
const MOST_SENTENCES = 2000
const MOST_EVIDENCE = 20

/** Compiles the rules; a pattern that cannot be used is named with its cue and column. */
export function compileCoach(rules: CoachRules): Result<Coach> {
  const problems: Problem[] = []
  const compile = (entry: SignalEntry, where: string): CompiledSignal | null => {
    const compiled = compileSignal(entry, where, { asciiBoundaries: false })
    if (compiled.ok) return compiled.value
    problems.push(compiled.error)
    return null
  }
  const cues = rules.cues.flatMap(({ id, kind, pattern, unless }) => {
    const signal = compile(pattern, `cue ${id}`)
    const veto = unless === undefined ? null : compile(unless, `cue ${id}, unless`)
    return signal === null ? [] : [{ id, kind, signal, unless: veto }]
  })
  const evidence = rules.evidence.flatMap(({ id, kind, pattern }) => {
    const signal = compile(pattern, `evidence ${id}`)
    return signal === null ? [] : [{ id, kind, signal }]
  })
  const [first] = problems
  return first === undefined ? ok({ rules, cues, evidence }) : err(first)
}

/** [V3] [V4] Cues in the sentences that the agent says itself, and evidence anywhere in the output. */
export function findAll(coach: Coach, text: string): Findings {
  const sentences = sentencesOf(text).slice(0, MOST_SENTENCES)
  const cues = sentences.flatMap((sentence, index) => cuesIn(coach, sentence, index))
  const facts = createTextFacts(text)
  const evidence = coach.evidence.flatMap(({ id, kind, signal }) =>
    findSpans(signal, facts, MOST_EVIDENCE).spans.map((span) => ({ cue: id, kind, span })),
  )
  return { sentences, cues, evidence }
}

function cuesIn(coach: Coach, sentence: Sentence, index: number): FoundCue[] {
  const facts = createTextFacts(sentence.text)
  return coach.cues.flatMap(({ id, kind, signal, unless }) => {
    if (!testSignal(signal, facts)) return []
    if (unless !== null && testSignal(unless, facts)) return []
    const [span] = findSpans(signal, facts, 1).spans
    if (span === undefined) return []
    const place: CoachMark['span'] = [sentence.start + span[0], sentence.start + span[1]]
    const quote = sentence.text.trim().replace(/^[\s*#>-]+/, '')
    return [{ id, kind, sentence: index, quote, mark: { cue: id, kind, span: place } }]
  })
}
