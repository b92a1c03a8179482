import type { PatternProblem } from './python/python-ast.ts'

/** Groups, and sets within sets, that may be open at a place of a pattern. */
const MOST_OPEN = 200

/**
 * [F217] A pattern whose groups are nested too deep, null for all others. Parsers and engines call themselves at every
 * group: thousands of groups exhaust the stack, and the memory of V8's compiler, which ends the process.
 */
export function nestedTooDeep(pattern: string, flags = ''): PatternProblem | null {
  // Only flag v has sets within sets; elsewhere a bracket in a set is a character.
  const most = flags.includes('v') ? Infinity : 1
  let groups = 0
  let sets = 0
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at]
    if (char === '\\') at += 1
    else if (char === '[') sets = Math.min(sets + 1, most)
    else if (char === ']') sets = Math.max(0, sets - 1)
    else if (char === '(' && sets === 0) groups += 1
    else if (char === ')' && sets === 0) groups = Math.max(0, groups - 1)
    if (groups > MOST_OPEN || sets > MOST_OPEN)
      return {
        what: `groups are nested more than ${MOST_OPEN} deep`,
        column: at + 1,
        do: 'Split the pattern into several.',
      }
  }
  return null
}
