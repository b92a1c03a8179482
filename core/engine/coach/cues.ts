import { findSpans, compileSignal, testSignal, type CompiledSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { err, ok, type Problem, type Result } from '../result.ts'
import type { CoachMark, CoachRules, CueKind, EvidenceKind } from '../schema/coach.ts'
import type { SignalEntry } from '../schema/domain.ts'
import { sentencesOf, type Sentence } from './sentences.ts'

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

/** A cue in a sentence. `quote` is what it matched. */
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

/** Longer outputs are not searched further: what decides stands well within. UTF-16 units. */
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
