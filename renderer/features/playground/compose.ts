import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { QueryType } from '../../../core/engine/schema/query.ts'
import type { Output } from '../../../core/wire/rpc.ts'
import { type Question, call } from '../../app/question.ts'

/** What is tried out in the playground. Never written to a file. */
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

export type Composed = Output<TurnscopeContract, 'playground.compose'>

/** Milliseconds without another key before a trial is composed. */
export const PAUSE_MS = 160

/** The prompt of a trial. A variable left empty is not given. */
export function composing(preset: string, trial: Trial): Question<Composed> {
  const { drafts, variables, ...rest } = trial
  const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const input = { ...rest, preset, drafts: { ...drafts }, variables: filled }
  return call('playground.compose', input, { where: 'Prompt playground' })
}
