const STEP = '  '
/** Maximum depth. Deeper nesting is not readable, and indenting grows with the square of the depth. */
const DEEPEST = 100
/** Characters that are laid out in one block without holding the window up. */
const MOST_CHARS = 4_000_000

/**
 * [U13] Indents JSON without other changes: numbers, escapes and repeated keys stay as in the file, which parsing and
 * printing would not keep. Text that is not JSON is returned unchanged. Content nested too deep is left out, with a
 * sign that gives its amount.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  // Strings, brackets with what separates them, and everything else between blanks.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gsu) ?? []
  return laidOut(shallow(tokens))
}

/** Tokens that open and close a level, with the change in depth. */
const LEVELS = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
])

/** The same tokens without content nested too deep. One sign replaces each stretch of it. */
function shallow(tokens: readonly string[]): readonly string[] {
  const kept: string[] = []
  let depth = 0
  let reached = 0
  for (const token of tokens) {
    const change = LEVELS.get(token) ?? 0
    if (Math.max(depth, depth + change) <= DEEPEST) kept.push(token)
    depth += change
    reached = Math.max(reached, depth)
    if (change < 0 && depth === DEEPEST) {
      kept.push(leftOut(reached - DEEPEST))
      reached = 0
    }
  }
  return kept
}

function laidOut(tokens: readonly string[]): string {
  let depth = 0
  let out = ''
  const line = () => `\n${STEP.repeat(depth)}`
  for (const [at, token] of tokens.entries()) {
    const change = LEVELS.get(token) ?? 0
    depth += change
    if (change > 0) out += LEVELS.get(tokens[at + 1] ?? '') === -1 ? token : token + line()
    else if (change < 0) out += LEVELS.get(tokens[at - 1] ?? '') === 1 ? token : line() + token
    else if (token === ',') out += token + line()
    else out += token === ':' ? ': ' : token
    if (out.length > MOST_CHARS) return `${out}\n… the rest is shown by Raw`
  }
  return out
}

function leftOut(levels: number): string {
  return `… ${levels.toLocaleString('en-US')} ${levels === 1 ? 'level' : 'levels'} more`
}
