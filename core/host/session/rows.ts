import type { z } from 'zod'
import type { Mark, TurnscopeContract } from '../../wire/contract.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { textOf, type SessionEvent } from '../../engine/schema/event.ts'
import { turnsOf } from '../../engine/turns.ts'
import { RpcError } from '../../wire/rpc.ts'
import type { Compiled } from '../shared/pipelines.ts'
import type { Desk } from './service.ts'

type RowsMethod = TurnscopeContract['session.rows']

/** Most rows of one answer. */
const MAX_ROWS = 1000

/** Rows of the list with the matched signals marked, where the text is classified. */
export async function shownRows(
  desk: Desk,
  input: z.infer<RowsMethod['in']>,
): Promise<Immutable<z.infer<RowsMethod['out']>>> {
  const { events, texts: store } = desk.session(input)
  const { from, to, maxChars } = input
  const slice = events.slice(from, Math.min(to, from + MAX_ROWS))
  const compiled = await compiledOrNull(desk, input.config)
  const turns =
    compiled === null ? [] : turnsOf(events, compiled.classify, from, from + slice.length)
  const classified = new Set(turns.map((turn) => turn.seq))
  const texts = slice.map((event) => cut(textOf(event, store), maxChars))
  const shown = slice.flatMap((event, index) =>
    classified.has(event.seq) ? [{ event, shown: texts[index]?.length ?? 0 }] : [],
  )
  const found = compiled === null ? [] : await desk.marks(compiled, shown, store)
  const marks = new Map(shown.map(({ event }, index) => [event.seq, found[index]]))
  const rows = slice.map((event, index) =>
    rowOf(event, texts[index] ?? '', marks.get(event.seq) ?? NO_MARKS),
  )
  return { rows }
}

const NO_MARKS: readonly Mark[] = []

/** A transcript stays readable while its configuration is broken: the replay says what is wrong. */
async function compiledOrNull(
  desk: Desk,
  config: z.infer<RowsMethod['in']>['config'],
): Promise<Compiled | null> {
  try {
    return await desk.compiled(config)
  } catch (error) {
    if (error instanceof RpcError && error.code === 'REFUSED') return null
    throw error
  }
}

function rowOf(event: SessionEvent, text: string, marks: readonly Mark[]) {
  const { seq, kind, name, callId, isError, model, at, source, chars } = event
  const { line } = source
  return { seq, kind, name, callId, isError, model, at, line, text, chars, marks }
}

/** The first `most` UTF-16 units, never half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const isHigh = /[\uD800-\uDBFF]/u.test(text.charAt(most - 1))
  return text.slice(0, isHigh ? most - 1 : most)
}
