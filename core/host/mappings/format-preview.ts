import { createLeftOver, type LeftOver } from '../../engine/import/own/left-over.ts'
import { mappedImporter } from '../../engine/import/own/importer.ts'
import { startMapping } from '../../engine/import/own/start.ts'
import { startImport } from '../../engine/import/run.ts'
import type { Importer } from '../../engine/import/source.ts'
import { findImporter, NO_OWN_FORMATS } from '../../engine/import/recognise.ts'
import { FormatMap, type FormatPreview } from '../../engine/schema/format-map.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { Transcript } from '../../engine/schema/session.ts'
import type { Problem } from '../../engine/result.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import { openSource, type OpenedSource, unreadable } from '../transcripts/read-transcript.ts'

/** Events that are shown, records that are read for them, and characters of a text. */
const MOST_EVENTS = 10
const MOST_RECORDS = 300
const MOST_CHARS = 400
const MOST_LOST = 20

interface Asked {
  /** The transcript that the mapping is tried on. */
  readonly path: string
  /** Its name as people know it. */
  readonly name: string
  /** The mapping as it is being written. */
  readonly text: string
  /** Its future path: `profiles/formats/ours.yaml`. */
  readonly shown: string
  readonly signal: AbortSignal
}

const NOTHING: Omit<FormatPreview, 'problem'> = {
  events: [],
  counts: { records: 0, events: 0, sessions: 0 },
  whole: false,
  fields: [],
  lost: [],
  lostTotal: 0,
  skipped: {},
  roles: [],
  opens: { how: 'none', label: '' },
}

/** [I142] Preview of a mapping: the first events of a file, and the unused fields, from its first 300 records. */
export async function previewFormat(asked: Asked): Promise<FormatPreview> {
  const map = parseDataFile(FormatMap, asked.text, asked.shown)
  if (!map.ok) return { ...NOTHING, problem: map.error }
  try {
    const source = await openSource(asked.path, asked.name, { signal: asked.signal })
    return await previewOf(source, map.value, asked)
  } catch (error) {
    asked.signal.throwIfAborted()
    return { ...NOTHING, problem: unreadable(error, asked.name) }
  }
}

async function previewOf(
  source: OpenedSource,
  map: FormatMap,
  { shown, signal }: Asked,
): Promise<FormatPreview> {
  if (source.members !== null || source.size === 0) {
    const what = source.size === 0 ? 'the file is empty' : 'an archive is not read by mappings'
    return { ...NOTHING, problem: { what, where: source.name, do: 'Choose a file of JSON' } }
  }
  const leftOver = createLeftOver()
  const roles = new Map<string, number>()
  const importer = mappedImporter(
    { name: 'preview', shown, map },
    {
      taken: leftOver.taken,
      unknownRole: (role) => roles.set(role, (roles.get(role) ?? 0) + 1),
    },
  )
  const { run, records, whole } = await readBeginning(source, importer, leftOver, signal)
  const read = run.snapshot()
  if (!read.ok) return { ...NOTHING, problem: read.error }
  const { problems, problemTotal, skipped } = read.value
  const shownOf = shownEvents(read.value)
  return {
    whole,
    skipped,
    events: shownOf.events,
    fields: [...leftOver.fields()],
    problem: shownOf.total === 0 ? run.nothing() : null,
    counts: { records, events: shownOf.total, sessions: read.value.sessions.length },
    lost: problems.slice(0, MOST_LOST).map(({ line, message }) => ({ line, why: message })),
    lostTotal: problemTotal,
    roles: [...roles].map(([role, count]) => ({ role, records: count })),
    opens: await opensAs(source, importer),
  }
}

/** Reads the first records, and no further. */
async function readBeginning(
  source: OpenedSource,
  importer: Importer,
  { seen }: LeftOver,
  signal: AbortSignal,
) {
  let records = 0
  const counted: Importer = {
    ...importer,
    read: (log, texts) => {
      const reader = importer.read(log, texts)
      const take: typeof reader.take = (record) => {
        records += 1
        if (records > MOST_RECORDS) return
        seen(record.value)
        reader.take(record)
      }
      return { ...reader, take }
    },
  }
  const run = startImport(source, counted)
  const steps = run.steps()
  let isEnd = false
  while (!isEnd && records <= MOST_RECORDS) {
    signal.throwIfAborted()
    isEnd = (await steps.next()).done === true
  }
  await steps.return()
  const whole = isEnd && records <= MOST_RECORDS
  return { run, whole, records: Math.min(records, MOST_RECORDS) }
}

/** The first events, and how many there are in all. */
function shownEvents({ sessions }: Transcript) {
  const all = sessions.flatMap(({ id, events, texts }) =>
    events.slice(0, MOST_EVENTS).map((event) => ({ id, event, texts })),
  )
  const events = all.slice(0, MOST_EVENTS).map(({ id, event, texts }) => {
    const { kind, name, at, isError, chars, source } = event
    const text = textOf(event, texts).slice(0, MOST_CHARS)
    return { session: id, kind, name, at, isError, chars, text, line: source.line }
  })
  return { events, total: sessions.reduce((sum, session) => sum + session.events.length, 0) }
}

/** [I140] The format that opens the file if none is chosen. */
async function opensAs(source: OpenedSource, own: Importer): Promise<FormatPreview['opens']> {
  const found = await findImporter(source, { own: [own], chosen: null })
  if (!found.ok) return { how: 'none', label: '' }
  if (found.value.importer === own) return { how: 'own', label: own.label }
  return { how: 'known', label: found.value.importer.label }
}

/** [I145] A mapping to begin with, of the beginning of a file. */
export async function startFormat(
  path: string,
  name: string,
): Promise<{
  readonly text: string
  readonly known: string | null
  readonly problem: Problem | null
}> {
  try {
    const source = await openSource(path, name)
    const label = name.replace(/\.[^.]*$/u, '').slice(0, 60) || 'Mine'
    const found = source.size === 0 ? null : await findImporter(source, NO_OWN_FORMATS)
    const known = found?.ok === true ? found.value.importer.label : null
    return { text: startMapping(source.head, label), known, problem: null }
  } catch (error) {
    return { text: '', known: null, problem: unreadable(error, name) }
  }
}
