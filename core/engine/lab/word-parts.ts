import { WIDE } from '../matcher/literals.ts'
import type { CompiledSignal } from '../matcher/signal.ts'
import { formOf, type TextFacts, type TextForm } from '../matcher/text-facts.ts'

/** The form in which required literals are looked for (C6). */
export function literalForm(facts: TextFacts): TextForm {
  return facts.ascii ? 'lower' : 'skeleton'
}

/** [C6] Does the text hold what every match of the signal requires? */
export function mayMatch({ programs }: CompiledSignal, facts: TextFacts): boolean {
  const { literals } = programs
  if (literals === null || (!facts.ascii && literals.includes(WIDE))) return true
  const form = formOf(facts, literalForm(facts))
  return literals.some((literal) => literal !== WIDE && form.includes(literal))
}

/** A part of a literal, and how a word of a text that holds the literal must hold it. */
export interface WordPart {
  readonly text: string
  /** The word starts, or ends, with the part. */
  readonly starts: boolean
  readonly ends: boolean
}

/**
 * The runs of word characters in a literal: the first may be the end of a longer word, the last the
 * start of one. None where the literal holds no word character.
 */
export function wordParts(literal: string): readonly WordPart[] {
  return [...literal.matchAll(/[a-z0-9_]+/gu)].map((match) => ({
    text: match[0],
    starts: match.index > 0,
    ends: match.index + match[0].length < literal.length,
  }))
}
