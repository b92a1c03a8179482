import type { Problem } from '../../../engine/result.ts'
import type { DraftProblem } from '../../../engine/schema/lab.ts'

/** [B18] Problems of a text as one that names them all, each with file, line, column and domain. */
export function allInText(problems: readonly DraftProblem[], where: string): Problem {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first, ...others] = errors
  if (!first) return { what: 'cannot be used', where, do: 'Check the file' }
  const placeOf = ({ line, column }: DraftProblem) => `${where}:${line}:${column}`
  const toldOf = ({ domain, signal, what }: DraftProblem) =>
    domain === null || signal === null ? what : `domain "${domain}", signal ${signal + 1}: ${what}`
  const more = others.map((other) => `; ${placeOf(other)}: ${toldOf(other)}`)
  const advice = first.do.replace(/\.$/u, '')
  return { what: `${toldOf(first)}${more.join('')}`, where: placeOf(first), do: advice }
}
