import type { FormatMap } from '../../schema/format-map.ts'
import type { Problem } from '../../result.ts'
import { isList } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import {
  createSessionWriters,
  type SessionWriter,
  type SessionWriters,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import {
  compileMap,
  foundBy,
  isMatch,
  type CompiledMap,
  type EventRule,
  type Field,
} from './compile.ts'
import { spotsOf, takePart, wordOfSpot, type Listener, type Part } from './events.ts'
import { MOST_WORK, WORK_A_RECORD, rootSpot, type Budget, type Spot } from './values.ts'

/** A mapping with the name and the place of its file. */
export interface NamedMap {
  /** Of the file, without its extension. */
  readonly name: string
  /** As people know it: `profiles/formats/ours.yaml`. */
  readonly shown: string
  readonly map: FormatMap
}

interface Reading {
  readonly log: ImportLog
  readonly writers: SessionWriters
  readonly compiled: CompiledMap
  readonly listener: Listener
  /** Sessions by the ids that the mapping finds. */
  readonly byId: Map<string, SessionWriter>
  /** The session of the previous record, and the list that holds that record. */
  current: { readonly list: Spot | null; readonly writer: SessionWriter } | null
  /** The first record that became nothing, and why. */
  first: { readonly line: number; readonly why: string } | null
}

/** [I140] A format that a mapping file describes, as a row of the table. */
export function mappedImporter(named: NamedMap, listener: Listener = {}): Importer {
  const compiled = compileMap(named.map)
  return {
    name: ownFormat(named.name),
    label: named.map.label,
    detect: ({ values }) =>
      rootsOf(values).some((value) => isMatch(compiled, rootSpot(value), { left: MOST_WORK })),
    // `$` is a line, an item of the one list that a file is, or the one object that it is.
    split: () => ({ by: 'records', arrays: true }),
    read: (log, texts) => {
      const writers = createSessionWriters(log, texts)
      const state = { byId: new Map<string, SessionWriter>(), current: null, first: null }
      const reading: Reading = { log, writers, compiled, listener, ...state }
      return {
        take: (raw) => takeRoot(raw, reading),
        drafts: writers.drafts,
        tidy: writers.tidy,
        nothing: () => nothingFound(named, reading),
      }
    },
  }
}

/** Items of one list that are looked at to recognise a file. */
const MOST_ITEMS = 50

/** [I140] Values that `$` matches: the values themselves, and the items of a list that is the whole file. */
function rootsOf(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) =>
    isList(value) ? [value, ...value.slice(0, MOST_ITEMS)] : [value],
  )
}

/** Name of a mapped format: no format of the table has a slash. */
export function ownFormat(name: string): string {
  return `own/${name}`
}

/** [I140] One line, item or document: its records are found in it, and mapped one after the other. */
function takeRoot(raw: RawRecord, reading: Reading): void {
  const { compiled, log, listener } = reading
  const root = rootSpot(raw.value)
  const budget: Budget = { left: MOST_WORK }
  const { spots, why, isEmpty } = foundBy(compiled.records, { root, here: root }, budget)
  if (spots.length === 0) {
    if (isEmpty) log.skip('no records in it')
    else lose(raw, `${named(compiled.records)} finds no record: ${why()}`, reading)
    return
  }
  for (const [at, here] of spots.entries()) {
    budget.left += WORK_A_RECORD
    const shared = { places: { root, here }, budget, listener }
    takeRecord({ value: here.value, ref: raw.ref }, { ...shared, compiled, ref: raw.ref }, reading)
    if (budget.left > 0) continue
    const which = `record ${at + 1} of ${spots.length}`
    lose(raw, `its paths meet too many values: from ${which} on it was not read`, reading)
    return
  }
}

type OfRecord = Omit<Part, 'rule'>

function takeRecord(raw: RawRecord, of: OfRecord, reading: Reading): void {
  const writer = sessionOf(of, reading)
  let isUsed = false
  for (const rule of of.compiled.events) {
    for (const here of partsOf(rule, of)) {
      const part = { ...of, rule, places: { ...of.places, here } }
      isUsed = takePart(part, writer) || isUsed
    }
  }
  if (isUsed || of.budget.left <= 0) return
  const why = whyUnused(of)
  if (why === null) reading.log.skip('without content')
  else lose(raw, why, reading)
}

function partsOf({ each }: EventRule, of: OfRecord): readonly Spot[] {
  return each === null ? [of.places.here] : foundBy(each, of.places, of.budget).spots
}

/**
 * [I140] The session of a record: by its id. Without an id, the previous record's session if both are in the same list.
 * Records on separate lines form one session.
 */
function sessionOf(of: OfRecord, reading: Reading): SessionWriter {
  const { compiled } = of
  const id = wordOfSpot(spotsOf(compiled.session, of)[0])
  const list = listAround(of.places.here)
  const before = reading.current
  const isSame = before !== null && (before.list === list || compiled.session !== null)
  const known = id === null ? (isSame ? before.writer : undefined) : reading.byId.get(id)
  const writer = known ?? opened(id, of, reading)
  reading.current = { list, writer }
  writer.session.title ??= wordOfSpot(spotsOf(compiled.title, of)[0])
  return writer
}

function opened(id: string | null, of: OfRecord, { writers, byId }: Reading): SessionWriter {
  const parent = wordOfSpot(spotsOf(of.compiled.parent, of)[0])
  const writer = writers.open(id, parent === null ? 'main' : (id ?? 'sub-agent'), parent)
  if (id !== null) byId.set(id, writer)
  return writer
}

/** The innermost list around a record; null if the record is the whole line, item or document. */
function listAround(spot: Spot): Spot | null {
  let at = spot
  while (at.around !== null) {
    if (typeof at.key === 'number') return at.around
    at = at.around
  }
  return null
}

const named = ({ field, paths }: Field) =>
  `"${field}" (${paths.map(({ text }) => text).join(' or ')})`

/** [I143] Names the path that found nothing; null if the paths lead to an empty value. */
function whyUnused(of: OfRecord): string | null {
  let why: string | null = null
  for (const rule of of.compiled.events) {
    const { each, text, result, tool, role } = rule
    const [part] = partsOf(rule, of)
    const fields = part === undefined ? [each] : [text, rule.arguments, result, tool]
    const here = part ?? of.places.here
    const found = fields.flatMap((field) => {
      if (field === null) return []
      return [{ field, ...foundBy(field, { ...of.places, here }, of.budget) }]
    })
    if (found.some(({ spots, isEmpty }) => spots.length === 0 && isEmpty)) return null
    const [empty] = found.filter(({ spots }) => spots.length === 0)
    const speaks = found.some(({ spots }) => spots.length > 0)
    const lacking =
      speaks && role !== null
        ? { field: role, ...foundBy(role, { ...of.places, here }, of.budget) }
        : empty
    if (lacking !== undefined) why ??= `${named(lacking.field)} finds nothing: ${lacking.why()}`
  }
  return why ?? 'no event of the mapping takes it'
}

function lose(raw: RawRecord, why: string, reading: Reading): void {
  reading.first ??= { line: raw.ref.line, why }
  reading.log.unusable(raw, why)
}

/** [I143] Why a mapping made no event of a whole file. */
function nothingFound({ map, shown }: NamedMap, { first }: Reading): Problem | null {
  if (first === null) return null
  return {
    what: `the mapping "${map.label}" makes no event of this file: ${first.why}`,
    where: `line ${first.line}`,
    do: `Correct the path in ${shown}`,
  }
}
