import { isMap, isNode, isScalar, parseDocument } from 'yaml'
import { type Result, err, ok } from '../../../engine/result.ts'
import type { DomainFile } from '../../../engine/schema/domain.ts'
import { readDomainText } from '../../shared/drafts/domain-text.ts'
import { createBlockCache } from '../../shared/drafts/domain-pieces.ts'

const KEY = 'madeFrom'

/** The file with a list in the place of the one before, or in front of its domains; null: it has no place. */
function written(text: string, sources: readonly string[]): string | null {
  const { contents } = parseDocument(text)
  if (!isMap(contents)) return null
  const list = JSON.stringify(sources)
  const pairOf = (name: string) =>
    contents.items.find(({ key }) => isScalar(key) && key.value === name)
  const old = pairOf(KEY)?.value
  if (isNode(old)) {
    const [from, to] = old.range
    const end = text.slice(from, to).trimEnd().length
    return `${text.slice(0, from)}${list}${text.slice(from + end)}`
  }
  const before = pairOf('domains')?.key
  if (!isNode(before)) return null
  const [at] = before.range
  const line = contents.flow === true ? `"${KEY}": ${list}, ` : `${KEY}: ${list}\n`
  return `${text.slice(0, at)}${line}${text.slice(at)}`
}

/**
 * [L101] Adds sources of labels to what the file says its signals were made from. Only the bytes of that list
 * change; the result is read again and must mean what was asked for.
 */
export function addMadeFrom(text: string, sources: readonly string[]): Result<string> {
  const before = readDomainText(text, createBlockCache()).value
  const known = before?.madeFrom ?? []
  const all = [...new Set([...known, ...sources])].toSorted((a, b) => (a < b ? -1 : 1))
  if (all.length === known.length) return ok(text)
  const changed = written(text, all)
  const after = changed === null ? null : readDomainText(changed, createBlockCache()).value
  if (changed !== null && before !== null && after !== null) {
    // Only the list is another one: everything else of the file means what it meant.
    const rest = ({ name, description, kind, domains }: DomainFile): string =>
      JSON.stringify([name, description, kind, domains])
    const isWritten = JSON.stringify(after.madeFrom) === JSON.stringify(all)
    if (isWritten && rest(before) === rest(after)) return ok(changed)
  }
  return err({
    what: 'the sources that the signal was made from cannot be written here',
    where: KEY,
    do: 'Edit the text itself',
  })
}
