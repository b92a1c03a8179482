import { textOf, type SessionEvent, type TextReader } from '../../engine/schema/event.ts'
import { chars4, words13, type TokenEstimator } from '../../engine/tokens.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'

/** Methods of estimating tokens. `length4`: a quarter of the length, without reading the text. */
export type CountName = 'o200k_base' | 'chars4' | 'words13' | 'length4'

/** [X7] Characters of a session whose texts are counted. Longer ones are estimated by length. */
export const MAX_COUNTED = 2_000_000

const LOADERS: Readonly<Record<string, () => Promise<TokenEstimator>>> = {
  o200k_base: loadO200k,
  chars4: () => Promise.resolve(chars4),
  words13: () => Promise.resolve(words13),
}

interface TokenCounts {
  readonly name: CountName
  /** The wanted tokenizer, if it is not one of these. */
  readonly unknown: string | null
  readonly tokens: (event: SessionEvent) => number
}

/**
 * Estimates of the texts of these events.
 * @param wanted name of the tokenizer that the model profile gives; null for the standard one
 */
export async function createTokenCounts(
  lists: ReadonlyArray<readonly SessionEvent[]>,
  texts: TextReader,
  wanted: string | null,
): Promise<TokenCounts> {
  const known = wanted !== null && Object.hasOwn(LOADERS, wanted)
  const unknown = wanted === null || known ? null : wanted
  if (lengthOf(lists) > MAX_COUNTED)
    return { name: 'length4', unknown, tokens: ({ chars }) => Math.ceil(chars / 4) }
  const name = (known ? wanted : 'o200k_base') as CountName
  const count = await (LOADERS[name] ?? loadO200k)()
  return { name, unknown, tokens: (event) => count(textOf(event, texts)) }
}

function lengthOf(lists: ReadonlyArray<readonly SessionEvent[]>): number {
  let sum = 0
  for (const events of lists) for (const { chars } of events) sum += chars
  return sum
}
