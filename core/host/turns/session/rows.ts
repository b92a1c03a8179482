import { stat } from '../../platform/files/fenced-fs.ts'
import { quotedParts, scoredText } from '../../../engine/belief/text.ts'
import type { QuotedPart } from '../../../engine/schema/trace.ts'
import { type Result, err, ok } from '../../../engine/result.ts'
import { type SessionEvent, textOf } from '../../../engine/schema/event.ts'
import { shownName } from '../../../engine/context/source.ts'
import { turnsOf } from '../../../engine/turns.ts'
import type { Mark } from '../../../wire/contract.ts'
import type { Answer, Asked } from '../../../wire/method.ts'
import { RpcError } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { readRange } from '../../platform/files/byte-input.ts'
import { type Seal, holds } from '../../platform/files/file-tail.ts'
import type { OpenTranscript } from '../../transcripts/open-transcript.ts'
import { offerAutomaton } from '../../automata/current.ts'
import type { Sides } from '../../drafts/sides.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { SessionService } from '../../sessions/session/service.ts'

type RowsInput = Asked<SessionContract, 'session.rows'>

/** Most rows of one answer. */
const MAX_ROWS = 1000

/** Rows of the list. With a configuration, matched signals are marked in classified texts. */
export async function shownRows(
  service: SessionService,
  input: RowsInput,
): Promise<Answer<SessionContract, 'session.rows'>> {
  const { events, texts: store } = service.session(input)
  const { from, to, maxChars } = input
  const slice = events.slice(from, Math.min(to, from + MAX_ROWS))
  const compiled = await compiledOrNull(service, input.config)
  const turns =
    compiled === null ? [] : turnsOf(events, compiled.classify, from, from + slice.length)
  const classified = new Set(turns.map((turn) => turn.seq))
  const texts = slice.map((event) => cut(textOf(event, store), maxChars))
  const shown = slice.flatMap((event, index) =>
    classified.has(event.seq) ? [{ event, shown: texts[index]?.length ?? 0 }] : [],
  )
  // Shares the automaton with the replay that follows. Without it the marks would build a separate one.
  if (compiled !== null && shown.length > 0) offerAutomaton(compiled.pipeline.signals)
  const found = compiled === null ? [] : await service.marks(compiled, shown, store)
  const marks = new Map(shown.map(({ event }, index) => [event.seq, found[index]]))
  const options = compiled?.pipeline.preset.belief
  const quotedIn = (event: SessionEvent) =>
    options?.stripQuoted !== undefined
      ? quotedParts(scoredText(textOf(event, store), options), MAX_QUOTED)
      : []
  const rows = slice.map((event, index) =>
    rowOf(event, texts[index] ?? '', {
      marks: marks.get(event.seq) ?? NO_MARKS,
      quoted: compiled !== null && classified.has(event.seq) ? quotedIn(event) : [],
    }),
  )
  return { rows, key: compiled?.key ?? null }
}

const NO_MARKS: readonly Mark[] = []
/** Quoted stretches of one row. */
const MAX_QUOTED = 50

/** Most rows of one answer about a draft, and units of a text that are marked. */
const MAX_MARKED_ROWS = 500
const MARKED_CHARS = 20_000

/** Matches of a draft's signals in rows of an opened session. */
export async function draftMarks(
  service: SessionService,
  sides: Sides,
  input: Asked<SessionContract, 'lab.marks'>,
): Promise<Answer<SessionContract, 'lab.marks'>> {
  const { events, texts } = service.session(input)
  const resolved = await sides.resolve({ kind: 'draft', draft: input.draft })
  if (!resolved.ok) throw refusal(resolved.error.problem)
  const { compiled } = resolved.value
  const to = Math.min(input.to, input.from + MAX_MARKED_ROWS, events.length)
  const turns = turnsOf(events, compiled.classify, input.from, to)
  const shown = turns.flatMap(({ seq }) => {
    const event = events[seq]
    return event === undefined ? [] : [{ event, shown: MARKED_CHARS }]
  })
  const found = await service.marks(compiled, shown, texts)
  return { rows: shown.map(({ event }, at) => ({ seq: event.seq, marks: found[at] ?? [] })) }
}

/** A transcript stays readable while its configuration is broken; the replay reports the error. */
async function compiledOrNull(
  service: SessionService,
  config: RowsInput['config'],
): Promise<Compiled | null> {
  if (config === null) return null
  try {
    return await service.compiled(config)
  } catch (error) {
    if (error instanceof RpcError && error.code === 'REFUSED') return null
    throw error
  }
}

interface RowParts {
  readonly marks: readonly Mark[]
  readonly quoted: readonly QuotedPart[]
}

function rowOf(event: SessionEvent, text: string, { marks, quoted }: RowParts) {
  const { seq, kind, callId, isError, model, at, source, chars } = event
  const { line } = source
  const name = shownName(event)
  return { seq, kind, name, callId, isError, model, at, line, text, chars, marks, quoted }
}

/** The first `most` UTF-16 units, never half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const isHigh = /[\uD800-\uDBFF]/u.test(text.charAt(most - 1))
  return text.slice(0, isHigh ? most - 1 : most)
}

/** Most bytes of a record that are shown. */
const MAX_RAW_BYTES = 256 * 1024

interface Place {
  readonly offset: number
  readonly length: number
  /** Index into the transcript's `files`; if omitted, the opened file itself. */
  readonly file?: number | undefined
}

/** Bytes of a file as text, at most 256 KiB; refused when the file is not the one that was opened. */
export async function readRaw(
  opened: OpenTranscript,
  { offset, length, file }: Place,
): Promise<Result<{ readonly text: string; readonly truncated: boolean }>> {
  const place = opened.place(file)
  if (place === null) return err(gone(opened.path))
  if ('members' in place) {
    const whole = await place.members.text(place.member)
    if (!whole.ok) return whole
    const end = offset + Math.min(length, MAX_RAW_BYTES)
    const text = Buffer.from(whole.value).toString('utf8', offset, end)
    return ok({ text, truncated: length > MAX_RAW_BYTES })
  }
  if ('table' in place) {
    const text = await place.table.text(offset)
    // [I205] A database has another session at this number when sessions were added or removed.
    if (text.length !== length) return err(changed(opened.path))
    return ok({ text: text.slice(0, MAX_RAW_BYTES), truncated: text.length > MAX_RAW_BYTES })
  }
  if ('inside' in place) return ok(await readRange(place.inside, { offset, length }, MAX_RAW_BYTES))
  const unchanged = await checkUnchanged(place.path, place.seal)
  if (!unchanged.ok) return unchanged
  return ok(await readRange(place.path, { offset, length }, MAX_RAW_BYTES))
}

/**
 * Whether offsets into an opened file are still valid. A file that has only grown (an agent is still writing) passes,
 * because its old beginning and end have not moved.
 */
async function checkUnchanged(path: string, seal: Seal): Promise<Result<null>> {
  const now = await stat(path).catch(() => null)
  if (now === null) return err(gone(path))
  if (now.size >= seal.size && (await holds(path, seal))) return ok(null)
  return err(changed(path))
}

function gone(path: string) {
  return { what: 'the file is not there any more', where: path, do: 'Open it again' }
}

function changed(path: string) {
  return { what: 'the file changed since it was opened', where: path, do: 'Open it again' }
}
