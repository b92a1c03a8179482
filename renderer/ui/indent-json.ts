const STEP = '  '

/**
 * Indents JSON without touching anything else: numbers, escapes and repeated keys stay as they are in
 * the file, which parsing and printing again would not keep. Text that is not JSON comes back as it is.
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
  let out = ''
  const line = () => `\n${STEP.repeat(depth)}`
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]
    if (token === '{' || token === '[') {
      depth += 1
      const next = tokens[at + 1]
      out += next === '}' || next === ']' ? token : token + line()
    } else if (token === '}' || token === ']') {
      depth -= 1
      out += before === '{' || before === '[' ? token : line() + token
    } else if (token === ',') out += token + line()
    else if (token === ':') out += ': '
    else out += token
  })
  return out
}
