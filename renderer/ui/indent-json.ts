const STEP = '  '
/** Nobody reads deeper, and indenting grows with the square of the depth. */
const DEEPEST = 100
/** Characters that are laid out in one block without holding the window up. */
const MOST_CHARS = 4_000_000

/**
 * [U13] Indents JSON without touching anything else: numbers, escapes and repeated keys stay as they are
 * in the file, which parsing and printing again would not keep. Text that is not JSON comes back as it
 * is. What is nested too deep is left out, with a sign that says how much.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  // Strings, brackets with what separates them, and everything else between blanks.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gsu) ?? []
  let depth = 0
  let reached = 0
  let out = ''
  const line = () => `\n${STEP.repeat(depth)}`
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const opens = token === '{' || token === '['
    const closes = token === '}' || token === ']'
    if (opens) depth += 1
    if (depth > DEEPEST) {
      reached = Math.max(reached, depth)
      if (closes) depth -= 1
      if (depth === DEEPEST) {
        out += leftOut(reached - DEEPEST)
        reached = 0
      }
      continue
    }
    if (opens) {
      const next = tokens[at + 1]
      out += next === '}' || next === ']' ? token : token + line()
    } else if (closes) {
      depth -= 1
      out += before === '{' || before === '[' ? token : line() + token
    } else if (token === ',') out += token + line()
    else if (token === ':') out += ': '
    else out += token
    if (out.length > MOST_CHARS) return `${out}\n… the rest is shown by Raw`
  }
  return out
}

function leftOut(levels: number): string {
  return `… ${levels.toLocaleString('en-US')} ${levels === 1 ? 'level' : 'levels'} more`
}
