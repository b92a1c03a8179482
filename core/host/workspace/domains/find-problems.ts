import type { Result } from '../../../engine/result.ts'
import type { DomainFile } from '../../../engine/schema/domain.ts'
import type { Loaded } from '../data-kinds.ts'

/** Says where in the text of a domain file its signals are wrong. */
export type FindProblems = (
  file: Loaded<DomainFile>,
  text: string,
  asciiBoundaries: boolean,
) => Result<never>

let known: FindProblems | null = null

/**
 * The module that reads domain files from text registers this function. A caller that compiles a file which was read
 * and compiled before (C23) then need not load the YAML parser.
 */
export function useProblemsInText(find: FindProblems): void {
  known = find
}

/** Null if no domain file has been parsed from text. */
export const problemsFinder = (): FindProblems | null => known
