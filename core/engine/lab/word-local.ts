import type { CharSet, Node } from '../matcher/python-ast.ts'
import type { CompiledSignal } from '../matcher/signal.ts'

function isWordCode(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return isDigit || isLetter || code === 0x5f
}

function isOfWords({ negate, ranges, categories }: CharSet): boolean {
  if (negate || categories.some((category) => category !== 'w' && category !== 'd')) return false
  return ranges.every(([from, to]) => {
    if (to > 0x7f) return false
    for (let code = from; code <= to; code += 1) if (!isWordCode(code)) return false
    return true
  })
}

function staysInWord(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return isOfWords(node.set)
    case 'sequence':
      return node.items.every(staysInWord)
    case 'alternation':
      return node.branches.every(staysInWord)
    case 'repeat':
    case 'group':
    case 'atomic':
      return staysInWord(node.body)
    case 'position':
      return node.position === 'boundary' || node.position === 'notBoundary'
    case 'look':
    case 'reference':
      return false
  }
}

/**
 * [T7] Can every match of the signal be told from a single word? Its characters are all word
 * characters, and it looks at nothing around them but whether a word ends. A text matches then if and
 * only if one of its words, alone, does. Not so where the pattern matches without any word.
 */
export function matchesWithinWords({ programs }: CompiledSignal): boolean {
  const { source, ascii, wide } = programs
  if (source === null || ascii.form !== 'lower') return false
  const withoutWord = ['', ' '].some((text) => ascii.regex.test(text) || wide.regex.test(text))
  return !withoutWord && staysInWord(source.root)
}
