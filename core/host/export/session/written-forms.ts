import { hash } from 'node:crypto'
import { type Replayed, csvLines } from '../../../engine/export/csv.ts'
import { comparisonMarkdown, turnMarkdown } from '../../../engine/export/markdown.ts'
import { otelTexts } from '../../../engine/export/otel.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import { redactValue } from '../../../engine/redact/redact.ts'
import type { Replay } from '../../../engine/replay.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { ExportForm } from '../../../engine/schema/export-form.ts'
import type { ReplayColumns } from '../../../engine/schema/replay.ts'
import type { TurnTrace } from '../../../engine/schema/trace.ts'
import { type GroupedCall, callRows } from '../../context/call-rows.ts'
import type { ContextReading } from '../../context/read-context.ts'
import { numberedFromOne } from '../../platform/numbering.ts'
import { jsonLine, visible } from '../../platform/terminal.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import type { PartsOfTurns } from '../../turns/session/turn-parts.ts'

/** A replayed session of a file, with the other side of the comparison. */
export interface Played extends Replayed {
  /** Name of the file, without its folders. */
  readonly file: string
  /** Path of the file. Plans that its sessions name are read from the same folder. */
  readonly path: string
  readonly replay: SessionReplay
  readonly other: Replay | null
  /** [X18] Null for forms without it. */
  readonly context: ContextReading | null
}

/** The content to write, and the options for it. */
interface FormWriting {
  readonly played: readonly Played[]
  /** Turns of the first session, 1-based and inclusive; null = all of all. */
  readonly turns: readonly [from: number, to: number] | null
  /** Names of this side and of the other one; the second is null if nothing is compared. */
  readonly sides: readonly [here: string, there: string | null]
  readonly trace: (replay: SessionReplay, turn: number) => TurnTrace
  /** [I95] The parts of the turns of a session, for JSON lines. */
  readonly parts: (played: Played) => Promise<PartsOfTurns>
  readonly redact: (text: string) => string
  readonly version: string
}

type Writer = (writing: FormWriting) => Iterable<string> | AsyncIterable<string>

/** [U129] [U180] The one place that writes these forms: the command line and Export call it. */
export const FORM_TEXTS: Readonly<Record<ExportForm, Writer>> = {
  markdown: markdownTexts,
  jsonl: traceLines,
  otel: ({ played, redact, version }) =>
    otelTexts(played, { hash: (text) => hash('sha256', text), redact, version }),
  csv: ({ played, redact }) => csvLines(played, redact),
}

/** The requested turns of the first session; without a range, all turns of all sessions. */
function chosenTurns({ columns }: Played, isFirst: boolean, { turns }: FormWriting) {
  const all = Array.from({ length: columns.turns }, (_, turn) => turn)
  if (turns === null) return all
  const [from, to] = turns
  return isFirst ? all.filter((turn) => turn + 1 >= from && turn + 1 <= to) : []
}

/** [I95] The lines of `replay --json`, redacted. */
async function* traceLines(writing: FormWriting): AsyncGenerator<string> {
  const { played, trace, redact } = writing
  for (const [index, each] of played.entries()) {
    const { file, session, replay } = each
    const parts = await writing.parts(each)
    const contextOf = turnContexts(each)
    let next = 0
    for (const turn of chosenTurns(each, index === 0, writing)) {
      for (; next < turn; next += 1) await parts.skip(next)
      next = turn + 1
      const traced = { file, session: session.id, ...trace(replay, turn), ...contextOf(turn) }
      const line = { ...numberedFromOne(traced), ...(await parts.next(turn)) }
      yield `${jsonLine(redactValue(line, redact))}\n`
    }
  }
}

/**
 * [X18] The context of the first call that answers each turn, with the names of `context --json`. Null if no call is
 * recorded or seen for it.
 */
function turnContexts({ replay, context }: Played): (turn: number) => object {
  if (context === null) return () => ({})
  const turns = replay.columns.seq
  const answers: Array<GroupedCall | undefined> = []
  let turn = 0
  for (const each of callRows({ turns, prices: null }, context)) {
    // Turns without a call in between share the next one.
    for (; (turns[turn] ?? Infinity) + context.context.before < each.call.to; turn += 1)
      answers[turn] = each
  }
  return (at) => {
    const answer = answers[at]
    if (answer === undefined) return { context: null }
    const { row, groups } = answer
    const { call, model, tokens, recorded, window, cut } = row
    const shown = { call, model, tokens, recorded, window, cut }
    return { context: { ...shown, tokenizer: context.tokenizer, sources: groups } }
  }
}

function* markdownTexts(writing: FormWriting): Generator<string> {
  const { played, turns, sides, trace, redact } = writing
  const [here, there] = sides
  for (const [index, each] of played.entries()) {
    const { session, replay, other } = each
    const name = session.title === '' ? session.id : session.title
    for (const turn of turns === null ? [] : chosenTurns(each, index === 0, writing))
      yield visible(turnMarkdown(trace(replay, turn), { preset: here, session: name, redact }))
    if (other === null || there === null) continue
    const all = replay.columns.turns
    const rows = flipRows(each, other)
    const compared = { session: name, turns: all, sides: [here, there] as const, rows, redact }
    yield visible(comparisonMarkdown(compared))
  }
}

function flipRows({ session, replay }: Played, other: Replay) {
  return diffReplays(replay, other).map((flip) => {
    const event = session.events[replay.columns.seq[flip.turn] ?? -1]
    const text = event === undefined ? '' : textOf(event, session.texts)
    const before = decided(replay.columns, flip.turn)
    return { flip, before, after: decided(other.columns, flip.other), text }
  })
}

function decided({ domains, primary, secondary }: ReplayColumns, turn: number): string {
  const names = [primary[turn], secondary[turn]].flatMap((place) => domains[place ?? -1] ?? [])
  return names.join(' + ')
}
