import { isMap, isNode, isScalar, isSeq, parseDocument, type YAMLSeq } from 'yaml'
import { type Result, err, ok } from '../../../engine/result.ts'
import type { DomainFile } from '../../../engine/schema/domain.ts'
import { readDomainText } from '../../workspace/domains/domain-text.ts'
import { createBlockCache } from '../../workspace/domains/domain-pieces.ts'

const KEY = 'madeFrom'

interface Sources {
  readonly known: readonly string[]
  readonly added: readonly string[]
}

/** A list with a line for each source keeps its lines, and gets one more for each that is new. */
function appended(text: string, list: YAMLSeq, { added }: Sources): string | null {
  const last = list.items.at(-1)
  if (list.flow === true || !isNode(last) || !list.range || !last.range) return null
  const start = list.range[0]
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start)
  const ends = text.slice(last.range[1]).search(/\r?\n|$/u) + last.range[1]
  const lines = added.map((source) => `${eolOf(text)}${indent}- ${JSON.stringify(source)}`)
  return `${text.slice(0, ends)}${lines.join('')}${text.slice(ends)}`
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** The file with a longer list, or one in front of its domains; null: it has no place. */
function written(text: string, sources: Sources): string | null {
  const { contents } = parseDocument(text)
  if (!isMap(contents)) return null
  const list = JSON.stringify([...sources.known, ...sources.added])
  const pairOf = (name: string) =>
    contents.items.find(({ key }) => isScalar(key) && key.value === name)
  const old = pairOf(KEY)?.value
  const longer = isSeq(old) ? appended(text, old, sources) : null
  if (longer !== null) return longer
  if (isNode(old)) {
    const [from, to] = old.range
    const end = text.slice(from, to).trimEnd().length
    return `${text.slice(0, from)}${list}${text.slice(from + end)}`
  }
  const before = pairOf('domains')?.key
  if (!isNode(before)) return null
  const [at] = before.range
  const line = contents.flow === true ? `"${KEY}": ${list}, ` : `${KEY}: ${list}${eolOf(text)}`
  return `${text.slice(0, at)}${line}${text.slice(at)}`
}

/**
 * [L101] Adds sources of labels to the file's list of sources that its signals were made from. Only the bytes of that
 * list change. The result is parsed again and must have the requested meaning.
 */
export function addMadeFrom(text: string, sources: readonly string[]): Result<string> {
  const before = readDomainText(text, createBlockCache()).value
  const known = before?.madeFrom ?? []
  const added = [...new Set(sources)]
    .filter((source) => !known.includes(source))
    .toSorted((a, b) => (a < b ? -1 : 1))
  if (added.length === 0) return ok(text)
  const changed = written(text, { known, added })
  const after = changed === null ? null : readDomainText(changed, createBlockCache()).value
  if (changed !== null && before !== null && after !== null) {
    // Only the list may differ: the rest of the file must keep its meaning.
    const rest = ({ name, description, kind, domains }: DomainFile): string =>
      JSON.stringify([name, description, kind, domains])
    const isWritten = JSON.stringify(after.madeFrom) === JSON.stringify([...known, ...added])
    if (isWritten && rest(before) === rest(after)) return ok(changed)
  }
  return err({
    what: 'the sources that the signal was made from cannot be written here',
    where: KEY,
    do: 'Edit the text itself',
  })
}
