import type { PersonaDecision, ProbeOptions, Strength } from '../schema/probe.ts'
import { phraseKey } from './words.ts'

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

/** [D9] Fallback without hits: the first collection one of whose keywords stands in the text as a word. */
export function keywordCollection(text: string, collections: readonly Domain[]): string | null {
  const words = ` ${phraseKey(text).replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, ' ')} `
  const found = collections.find(({ keywords }) =>
    keywords.some((keyword) => {
      const key = phraseKey(keyword).replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
      return key.trim() !== '' && words.includes(` ${key.trim()} `)
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
 * [D9] The persona of a turn: that of the primary collection where the hits are strong enough, else
 * that of a keyword where nothing was hit at all, else, with persona momentum, the one in force.
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
