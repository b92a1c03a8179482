import { partsOf, type Part } from './call-parts.ts'
import { isObject } from './guards.ts'
import { event, words, type PartReader, type Said } from './said.ts'

/** [I32] A part of content of any provider, or of a plain text. */
export const readAnyPart: PartReader = (part) => {
  if (typeof part !== 'string' && !isObject(part)) return 'untyped'
  const found = partsOf(part)[0]
  if (found === undefined) return 'untyped'
  return found.kind === 'unknown' ? found.type : [saidOf(found)]
}

function saidOf(part: Exclude<Part, { kind: 'unknown' }>): Said {
  if (part.kind === 'call') return { as: 'call', name: part.name, id: part.id, text: part.text }
  if (part.kind === 'result') {
    const { text, id, name, isError } = part
    return { as: 'result', name, id, text, isError }
  }
  return part.kind === 'reasoning' ? event('reasoning', part.text) : words(part.text)
}
