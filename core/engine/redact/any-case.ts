/**
 * Writes out what `(?i:…)` and `(?-i:…)` of a pattern mean, in classes of both cases: Node 20 and 22 and older browsers do
 * not know these groups. For patterns without the flags `i`, `u` and `v` and with ASCII letters, as gitleaks has them;
 * the groups become plain ones, so that numbers and names of captures stay.
 */
export function withoutModifiers(pattern: string): string {
  let out = ''
  let rest = pattern
  /** Whether case counts, for each group that is open, outermost first. */
  const open: boolean[] = [false]
  for (let token = TOKEN.exec(rest)?.[0] ?? ''; token !== ''; token = TOKEN.exec(rest)?.[0] ?? '') {
    rest = rest.slice(token.length)
    const anyCase = open.at(-1) ?? false
    if (token === '(?i:' || token === '(?-i:') {
      open.push(token === '(?i:')
      out += '(?:'
    } else if (token.startsWith('(')) {
      open.push(anyCase)
      out += token
    } else {
      if (token === ')') open.pop()
      out += anyCase ? bothCases(token) : token
    }
  }
  return out
}

/** A group's beginning, an escape, a class, a count, or one character. */
const TOKEN =
  /^(?:\(\?(?:-?i:|:|<?[=!]|<\w+>)|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S])/

function bothCases(token: string): string {
  if (token.length > 1) return token.startsWith('[') ? bothCasesOfClass(token) : token
  return LETTER.test(token) ? `[${token.toLowerCase()}${token.toUpperCase()}]` : token
}

const LETTER = /^[A-Za-z]$/

/** Each letter and each range of letters, with its other case behind it. */
function bothCasesOfClass(token: string): string {
  return token.replaceAll(/\\[\s\S]|[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z]/g, (part) => {
    if (part.startsWith('\\')) return part
    const [low, high] = [part.toLowerCase(), part.toUpperCase()]
    return `${low}${high}`
  })
}
