import type { CompiledSignal } from '../../matcher/signal.ts'
import { childrenOf, type CharSet, type Node } from '../../matcher/python/python-ast.ts'

/** A part of a literal, and how a word of a text that holds the literal must hold it. */
export interface WordPart {
  readonly text: string
  /** The word starts, or ends, with the part. */
  readonly starts: boolean
  readonly ends: boolean
}

/**
 * The runs of word characters in a literal. The first may be the end of a longer word, the last the start of one. Empty
 * if the literal contains no word character.
 */
export function wordParts(literal: string): readonly WordPart[] {
  return [...literal.matchAll(/[a-z0-9_]+/gu)].map((match) => ({
    text: match[0],
    starts: match.index > 0,
    ends: match.index + match[0].length < literal.length,
  }))
}

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
  if (node.kind === 'set') return isOfWords(node.set)
  if (node.kind === 'look' || node.kind === 'reference') return false
  if (node.kind === 'position')
    return node.position === 'boundary' || node.position === 'notBoundary'
  return childrenOf(node).every(staysInWord)
}

/**
 * [T7] Can every match of the signal be told from a single word? Its characters are all word
 * characters, and besides them only word boundaries matter. A text matches then if and only if
 * one of its words alone matches. Patterns that match without any word are excluded.
 */
export function matchesWithinWords({ programs }: CompiledSignal): boolean {
  const { source, ascii, wide } = programs
  if (source === null || ascii.form !== 'lower') return false
  const withoutWord = ['', ' '].some((text) => ascii.regex.test(text) || wide.regex.test(text))
  return !withoutWord && staysInWord(source.root)
}
