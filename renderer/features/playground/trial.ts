import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import type { QueryType } from '../../../core/engine/schema/query.ts'
import { type Answer, type Question, call } from '../../app/question.ts'

/** The trial of the playground. Never written to a file. */
export interface Trial {
  readonly text: string
  /** Null = classified from the text. */
  readonly type: QueryType | null
  /** Texts of segments that replace their files, by id. */
  readonly drafts: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
  /** Null = the preset's. */
  readonly budget: number | null
}

export type Composed = Answer<'playground.compose'>

/** Milliseconds without another key before a trial is composed. */
export const PAUSE_MS = 160

/** The prompt of a trial. A variable left empty is not given. */
export function composing(preset: string, trial: Trial): Question<Composed> {
  const { drafts, variables, ...rest } = trial
  const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const input = { ...rest, preset, drafts: { ...drafts }, variables: filled }
  return call('playground.compose', input, { where: 'Prompt playground' })
}

export const emptyTrial: Trial = { text: '', type: null, drafts: {}, variables: {}, budget: null }

/** The trial with a draft of a segment; the text of the file itself is no draft. */
export function withDraft(trial: Trial, id: string, text: string, file: string): Trial {
  const others = Object.entries(trial.drafts).filter(([other]) => other !== id)
  const draft = text === file ? [] : [[id, text] as const]
  return { ...trial, drafts: Object.fromEntries([...others, ...draft]) }
}

/** Variables that any rendered segment uses, in order of first use, then given ones that none uses. */
export function variablesOf(prompt: ComposedPrompt | null, trial: Trial): readonly string[] {
  const needed = prompt?.segments.flatMap(({ variables }) => variables?.needed ?? []) ?? []
  return [...new Set([...needed, ...Object.keys(trial.variables)])]
}

export interface Piece {
  readonly text: string
  /** Index of the segment among all; null for text between segments. */
  readonly segment: number | null
}

/** The prompt cut into its segments; joined again, the pieces are the prompt. */
export function piecesOf(prompt: ComposedPrompt): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const placed = prompt.segments
    .map(({ span }, segment) => ({ span, segment }))
    .toSorted((a, b) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0))
  for (const { span, segment } of placed) {
    if (span === null) continue
    if (span[0] > at) pieces.push({ text: prompt.content.slice(at, span[0]), segment: null })
    pieces.push({ text: prompt.content.slice(...span), segment })
    at = span[1]
  }
  if (at < prompt.content.length) pieces.push({ text: prompt.content.slice(at), segment: null })
  return pieces
}

/** Upper end of the budget slider, above both the used tokens and the preset's budget. */
export function sliderTop(presetBudget: number, used: number): number {
  return Math.max(1000, Math.ceil((Math.max(presetBudget, used) * 1.5) / 500) * 500)
}
