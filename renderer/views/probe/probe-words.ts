import type {
  PersonaDecision,
  Phrase,
  ProbeHit,
  SKIP_REASONS,
  Strength,
} from '../../../core/engine/schema/probe.ts'
import { type Words, told } from '../../ui/words.ts'

/** Text that each rule of phrase extraction looks for. */
export const RULE_WORDS: Words<Phrase['rule']> = {
  capitalised: told('name', 'a sequence of capitalised words'),
  quoted: told('quoted', 'stands in quotation marks'),
  rare_word: told('rare word', 'is none of the common words of English'),
  entity_pattern: told('pattern', 'looks like an entity: dice, sizes, titles, dates'),
  identifier: told('identifier', 'a file name or a name of a program'),
  unspaced: told('unspaced', 'a stretch of a script without spaces'),
  full_input: told(
    'whole message',
    'no phrase of its own was found, so the message is probed as a whole, at lower weight',
  ),
}

export const STRENGTH_WORDS: Words<Strength> = {
  none: told('none', 'Nothing was hit.'),
  weak: told('weak', 'A single hit below 0.50: context, but no reason to switch (L26).', 'warn'),
  moderate: told('moderate', 'Between weak and strong (L26).', 'accent'),
  strong: told(
    'strong',
    'One hit of at least 0.70, or two that average 0.55 or more (L26).',
    'good',
  ),
}

export const SKIP_LONG: Readonly<Record<(typeof SKIP_REASONS)[number], string>> = {
  reflex_command: 'It is a reflex command, which needs no context.',
  too_short: 'It has fewer words than the preset asks for.',
  duplicate: 'It is the same as the message before: a loop is not probed again and again.',
  no_collections: 'No collection is indexed, so there is nothing to ask.',
  off: 'The probe is off in the preset in force.',
}

export const PERSONA_SOURCE: Readonly<Record<PersonaDecision['source'], string>> = {
  probe: 'brought by the primary collection',
  keywords: 'by keywords, because nothing was hit',
  held: 'held from before',
  none: 'nothing asked for one',
}

export const REFUSED_WHY: Readonly<
  Record<NonNullable<PersonaDecision['refused']>['reason'], string>
> = {
  weak: 'the hits are too weak to switch',
  persona_momentum: 'the persona in force has been held, and moderate hits do not leave it',
}

/** Two decimals, as the document writes scores. */
export function score2(value: number): string {
  return value.toFixed(2)
}

/** Words of a phrase that can be marked in a chunk. */
export function wordsOf(phrase: string): readonly string[] {
  const words = phrase.match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words.filter((word) => word.length > 2).map((word) => word.toLowerCase()))]
}

/**
 * [D52] The rule's comparison as an equation: the cosine alone, or with the share of words that phrase and chunk have
 * in common.
 */
export function compared({ similarity, lexical, score, threshold }: ProbeHit): string {
  const sign = score >= threshold ? '≥' : '<'
  const need = `${sign} ${score2(threshold)}`
  if (lexical === null || score <= similarity) return `cosine ${score2(similarity)} ${need}`
  return `cosine ${score2(similarity)} + words ${score2(score - similarity)} = ${score2(score)} ${need}`
}

/** Hits by collection: the primary first, then supplemental ones, then any other. */
export function groupHits(
  hits: readonly ProbeHit[],
  order: ReadonlyArray<string | null>,
): ReadonlyArray<readonly [collection: string, hits: readonly ProbeHit[]]> {
  const groups = Map.groupBy(hits, ({ collection }) => collection)
  const place = (collection: string) => {
    const at = order.indexOf(collection)
    return at < 0 ? order.length : at
  }
  return [...groups].toSorted(([a], [b]) => place(a) - place(b))
}

/** Milliseconds that the document allows: extraction, embedding, search of one collection, all. */
export const BUDGET = { extract: 5, embed: 50, search: 20, total: 100 } as const
