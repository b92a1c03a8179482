import { createLru } from '../../../engine/lru.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { createBlockCache } from './domain-pieces.ts'
import { readDomainText } from './domain-text.ts'
import type { DomainText } from './text-places.ts'

const read = createLru<string, DomainText>(2)

/** The text of a domain file with its places, read once. */
export const textOfDomains = (text: string): DomainText =>
  getOrMake(read, text, () => readDomainText(text, createBlockCache()))
