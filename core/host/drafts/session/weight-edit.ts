import { isMap, isNode, isScalar, isSeq, type YAMLMap } from 'yaml'
import { type Result, err, ok } from '../../../engine/result.ts'
import type { DomainFile, SignalEntry } from '../../../engine/schema/domain.ts'
import { createBlockCache, whole } from '../../workspace/domains/domain-pieces.ts'
import { nodeAt } from '../../workspace/domains/domain-nodes.ts'
import { readDomainText } from '../../workspace/domains/domain-text.ts'
import { isSkillText } from '../../workspace/domains/skill-text.ts'
import { addMadeFrom } from './made-from.ts'
import { sameFile } from './draft-edit.ts'

/** The weight of a signal in a domain file. Signals count from 0. */
interface SignalWeight {
  readonly domain: string
  readonly index: number
  readonly weight: number
}

interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

const PLACE = { where: 'weights', do: 'Edit the text itself' }

/**
 * [L98] Writes signal weights into a domain file. Comments, order, quotes and all other bytes stay. The result is
 * parsed again. If it does not have the requested meaning, nothing changes.
 */
function editWeights(text: string, weights: readonly SignalWeight[]): Result<string> {
  if (isSkillText(text))
    return err({ ...PLACE, what: 'the weights of skill rules are written by hand' })
  const before = readDomainText(text, createBlockCache()).value
  if (before === null) return err({ ...PLACE, what: 'the file cannot be read' })
  const { items } = whole(text)
  const splices: Splice[] = []
  for (const one of weights) {
    const at = before.domains.findIndex(({ name }) => name === one.domain)
    const item = items[at]
    const splice = item === undefined ? null : spliceFor(text, item, one)
    if (splice === null) {
      const where = `domain "${one.domain}", signal ${one.index + 1}`
      return err({ ...PLACE, where, what: 'this form of writing cannot be changed here' })
    }
    splices.push(splice)
  }
  const changed = splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), text)
  const after = readDomainText(changed, createBlockCache()).value
  if (after !== null && sameFile(after, expected(before, weights))) return ok(changed)
  return err({ ...PLACE, what: 'the change would have meant something else' })
}

/** [L98] [L101] The weights, and the sources of the labels that they were fitted on. */
export function withWeights(
  text: string,
  weights: readonly SignalWeight[],
  madeFrom: readonly string[],
): Result<string> {
  const weighed = editWeights(text, weights)
  return weighed.ok ? addMadeFrom(weighed.value, madeFrom) : weighed
}

function expected(file: DomainFile, weights: readonly SignalWeight[]): DomainFile {
  const wanted = new Map(
    weights.map(({ domain, index, weight }) => [`${index} ${domain}`, weight] as const),
  )
  const domains = file.domains.map((domain) => ({
    ...domain,
    signals: domain.signals.map((entry, index): SignalEntry => {
      const weight = wanted.get(`${index} ${domain.name}`)
      if (weight === undefined) return entry
      return typeof entry === 'string' ? { pattern: entry, weight } : { ...entry, weight }
    }),
  }))
  return { ...file, domains }
}

/** The spaces before a place in its line, and a line break of the file's kind. */
function newLine(text: string, at: number): string {
  const column = at - (text.lastIndexOf('\n', at - 1) + 1)
  return `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(column)}`
}

function spliceFor(
  text: string,
  item: ReturnType<typeof whole>['items'][number],
  { index, weight }: SignalWeight,
): Splice | null {
  const list = nodeAt(item, ['signals'])
  if (!isSeq(list)) return null
  const entry = list.items[index]
  if (isMap(entry)) return inMap(text, entry, weight)
  if (!isScalar(entry) || !entry.range) return null
  const [from, to] = entry.range
  const written = text.slice(from, to)
  if (list.flow === true)
    return { from, to, text: `{ "pattern": ${written}, "weight": ${weight} }` }
  return { from, to, text: `pattern: ${written}${newLine(text, from)}weight: ${weight}` }
}

/** Over the old weight, or in front of the pattern, which every entry has. */
function inMap(text: string, entry: YAMLMap, weight: number): Splice | null {
  const pairOf = (name: string) =>
    entry.items.find(({ key }) => isScalar(key) && key.value === name)
  const old = pairOf('weight')?.value
  if (isScalar(old) && old.range)
    return { from: old.range[0], to: old.range[1], text: String(weight) }
  const key = pairOf('pattern')?.key
  if (!isNode(key) || !key.range) return null
  const [from] = key.range
  const put =
    entry.flow === true ? `"weight": ${weight}, ` : `weight: ${weight}${newLine(text, from)}`
  return { from, to: from, text: put }
}
