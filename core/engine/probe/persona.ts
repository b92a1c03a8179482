import type { PersonaDecision, ProbeOptions, Strength } from '../schema/probe.ts'
import { phraseKey, withoutPossessive } from './words.ts'

/** The persona in force after a turn, carried to the next. */
export interface PersonaState {
  readonly persona: string | null
  readonly collection: string | null
  /** Turns in a row that it has been in force. */
  readonly heldFor: number
}

export const noPersona: PersonaState = { persona: null, collection: null, heldFor: 0 }

interface Domain {
  readonly name: string
  readonly persona: string | null
  readonly keywords: readonly string[]
}

interface Evidence {
  readonly text: string
  readonly collections: readonly Domain[]
  readonly primary: string | null
  readonly strength: Strength
}

type Options = Pick<ProbeOptions, 'personaMinStrength' | 'personaMomentum'>
type Refusal = NonNullable<PersonaDecision['refused']>['reason']

const ORDER: readonly Strength[] = ['none', 'weak', 'moderate', 'strong']

/** [D65] A word as keywords are compared: no possessive ending, and of a plural the singular. */
function singular(word: string): string {
  const bare = withoutPossessive(word)
  if (bare.length < 4) return bare
  if (bare.endsWith('ies')) return `${bare.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh|o)es$/u.test(bare)) return bare.slice(0, -2)
  return /[^siu]s$/u.test(bare) ? bare.slice(0, -1) : bare
}

function comparedWords(text: string): string {
  const words = phraseKey(text).match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  return ` ${words.map(singular).join(' ')} `
}

/**
 * [D9] [D65] Fallback without hits: the first collection with a keyword that occurs in the text as a word, also as a
 * possessive or a plural.
 */
export function keywordCollection(text: string, collections: readonly Domain[]): string | null {
  const words = comparedWords(text)
  const found = collections.find(({ keywords }) =>
    keywords.some((keyword) => {
      const key = comparedWords(keyword)
      return key.trim() !== '' && words.includes(key)
    }),
  )
  return found?.name ?? null
}

/** [L26] Why hits of this strength may not take the persona over. */
function refusal(state: PersonaState, strength: Strength, options: Options): Refusal | null {
  const { personaMinStrength, personaMomentum } = options
  if (personaMinStrength !== null && ORDER.indexOf(strength) < ORDER.indexOf(personaMinStrength)) {
    return 'weak'
  }
  const isHeld =
    personaMomentum !== null && state.persona !== null && state.heldFor >= personaMomentum
  return isHeld && strength !== 'strong' ? 'persona_momentum' : null
}

/**
 * [D9] The persona of a turn: that of the primary collection if the hits are strong enough. Without any hit, that of a
 * keyword. Otherwise, with persona momentum, the one in force.
 */
export function decidePersona(
  state: PersonaState,
  { text, collections, primary, strength }: Evidence,
  options: Options,
): PersonaDecision {
  const personaOf = (name: string | null): string | null =>
    collections.find((collection) => collection.name === name)?.persona ?? null
  const adopt = (
    source: PersonaDecision['source'],
    collection: string | null,
    refused: PersonaDecision['refused'] = null,
  ): PersonaDecision => {
    const persona = source === 'held' ? state.persona : personaOf(collection)
    const isSame = persona !== null && persona === state.persona
    const heldFor = persona === null ? 0 : isSame ? state.heldFor + 1 : 1
    return { persona, collection, source, refused, heldFor }
  }
  const stay = (refused: PersonaDecision['refused'] = null): PersonaDecision => {
    const isKept = state.persona !== null && (options.personaMomentum !== null || refused !== null)
    return isKept ? adopt('held', state.collection, refused) : adopt('none', null, refused)
  }
  if (primary === null) {
    const named = keywordCollection(text, collections)
    return named === null ? stay() : adopt('keywords', named)
  }
  if (personaOf(primary) === state.persona && state.persona !== null) return adopt('probe', primary)
  const reason = refusal(state, strength, options)
  if (reason === null) return adopt('probe', primary)
  return stay({ persona: personaOf(primary), collection: primary, reason })
}
