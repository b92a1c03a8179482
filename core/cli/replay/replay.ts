import { basename } from 'node:path'
import { counted } from '../../engine/result.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { Part, TurnTrace } from '../../engine/schema/trace.ts'
import { ambiguousWords } from '../../engine/schema/ambiguous-words.ts'
import { startingCalls } from '../../engine/sub-agents.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { threadNote } from '../../wire/thread-note.ts'
import { command } from '../kit/command.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { HOME } from '../../place.ts'
import { CONFIG, parsed, parseWhole } from '../kit/options.ts'
import { createMeter, EXIT, print } from '../kit/output.ts'
import { LINKS, type Linker, openLinker } from '../kit/links.ts'
import { type Replayer, openReplayer, readFile } from './replayer.ts'
import { PARTS, type ReplayParts, openParts } from './replay-parts.ts'
import { type Column, createTable, firstWords } from '../kit/table.ts'
import { TRUST } from '../trust/trust-option.ts'
import { placeOf } from '../trust/trusted.ts'

/** Default limit of a replay's output, in megabytes. */
const MAX_OUTPUT = 256

const PARTS_HELP = `
A line of --json is the trace of a turn, and beside it:
  query, prompt   of the message; the prompt is without what the probe found (D58)
  probe           phrases, hits, persona of the message, without times; cache and persona are carried on
  output          event of the output that belongs to the turn: the last one before the next turn
  self_signals    of every response of the agent up to the next turn
  verdicts        of every output up to the next turn, by the coach's rules; nothing is sent
  absent          why a part is null: {"probe": "the workspace has no collections"}`

/** `replay FILE…`: every turn of every session, as a table or as traces. */
export const replay = command({
  name: 'replay',
  summary: 'classify every turn of transcripts: a table, or with --json one trace a line',
  args: [['<file...>', 'transcripts, of any known format']],
  options: {
    maxOutput: parsed(
      '--max-output <megabytes>',
      'stop when so much was written; 0 = write all',
      parseWhole,
      MAX_OUTPUT,
    ),
    ...LINKS,
    ...CONFIG,
    ...PARTS,
    ...TRUST,
  },
  help: PARTS_HELP,
  run: async (options, files) => {
    const replayer = await openReplayer(options)
    const output = createOutput(options.maxOutput)
    const workspace = openWorkspace(options.workspace, HOME, placeOf(options))
    const link = await openLinker(options)
    const parts = options.json === true ? await openParts(workspace, options) : null
    try {
      for (const file of files) {
        const opened = await readFile(file, workspaceFormats(workspace))
        const { sessions } = opened.transcript
        const callOf = startingCalls(sessions)
        for (const [index, session] of sessions.entries()) {
          const note = threadNote({ thread: session.thread, startedAtEvent: callOf(session) })
          await replaySession(replayer, { file, index, session, note, parts, link }, output)
        }
      }
    } finally {
      await parts?.close()
    }
  },
})

interface Output {
  /** False when there is no room left; nothing is written then. */
  print(text: string): Promise<boolean>
}

/**
 * [I65] A trace is a hundred times the size of a short message, so a file of 50 MB with a million of them would become
 * gigabytes. The writer reports omitted lines, and the exit code reflects them.
 */
function createOutput(megabytes: number): Output {
  let left = megabytes === 0 ? Infinity : megabytes * 1_000_000
  return {
    print: async (text) => {
      left -= Buffer.byteLength(text)
      if (left >= 0) await print(text)
      return left >= 0
    },
  }
}

/** Columns of `replay`, in order. Widths are those of ordinary sessions. */
const COLUMNS: ReadonlyArray<Column<TurnTrace>> = [
  { title: 'turn', width: 5, right: true, of: (t) => String(t.turn + 1) },
  { title: 'kind', width: 11, of: (t) => t.kind },
  { title: 'primary + secondary', width: 30, of: (t) => both(t, ({ domain }) => domain) },
  { title: 'scores', width: 7, of: (t) => both(t, ({ confidence }) => String(confidence)) },
  { title: 'signature', width: 26, of: (t) => t.signature },
  { title: 'mom', width: 4, right: true, of: (t) => String(t.momentum.after.momentum) },
  { title: 'event', width: 7, of: (t) => t.momentum.event },
  { title: 'rule', width: 5, of: (t) => t.momentum.rule },
  { title: 'text', width: 20, of: (t) => firstWords(t.text) },
]

/** [B23] Only if the preset sets a margin, so that other tables stay unchanged. */
const AMBIGUOUS: Column<TurnTrace> = {
  title: 'text alone',
  width: 30,
  of: ({ scored }) => (scored.ambiguous ? ambiguousWords(scored.ambiguous.between) : ''),
}

function both({ primary, secondary }: TurnTrace, of: (part: Part) => string): string {
  return secondary === null ? of(primary) : `${of(primary)} + ${of(secondary)}`
}

/** Highlights breaks and resisted turns. */
function marked({ momentum }: TurnTrace, line: string): string {
  if (momentum.event === 'break') return styled('bold', line)
  return momentum.event === 'resist' ? styled('yellow', line) : line
}

/** [F189] Turns the turn number into a link, in its place in the row. */
function withLink(row: string, { turn }: TurnTrace, link: (text: string) => string): string {
  const number = String(turn + 1)
  const at = row.search(new RegExp(`(?<= |^)${number} {2}`, 'u'))
  return at < 0 ? row : row.slice(0, at) + link(number) + row.slice(at + number.length)
}

interface Shown {
  readonly file: string
  /** Number of the session in the file, from 0. */
  readonly index: number
  readonly link: Linker
  readonly session: Session
  /** [I102] Of a sub-agent's session: whose it is. */
  readonly note: string | null
  /** Null: a table for people. */
  readonly parts: ReplayParts | null
}

async function replaySession(
  replayer: Replayer,
  { file, index, session, note, parts, link }: Shown,
  output: Output,
): Promise<void> {
  const meter = createMeter()
  const replayed = await replayer.replay(session, (done, total) =>
    meter.show(`${basename(file)} ${done} of ${total} turns`),
  )
  meter.clear()
  for (const warning of replayed.columns.warnings) notice(`${file}: ${warning}`)
  const { ambiguous } = replayed.columns
  const columns = ambiguous === undefined ? COLUMNS : [AMBIGUOUS, ...COLUMNS]
  const table = createTable(columns, process.stdout.isTTY ? process.stdout.columns : 200)
  if (parts === null) {
    const { turns } = replayed.columns
    const counts = `${counted(turns, 'turn')}${ambiguous === undefined ? '' : `, ${ambiguous.length} ambiguous`}`
    const title = [file, session.title, ...(note === null ? [] : [note]), counts].join('  ')
    await output.print(`${styled('bold', title)}\n${table.head()}\n`)
  }
  const partsOf = await parts?.open({ file, session, replay: replayed })
  for (let turn = 0; turn < replayed.columns.turns; turn += 1) {
    const trace = replayer.trace(replayed, turn)
    const line = partsOf
      ? jsonLine({
          ...numberedFromOne({ file, session: session.id, ...trace }),
          ...(await partsOf.next(turn)),
        })
      : marked(
          trace,
          withLink(table.row(trace), trace, (text) =>
            link({ file, session: index, event: trace.seq }, text),
          ),
        )
    if (await output.print(`${line}\n`)) continue
    const { turns } = replayed.columns
    notice(
      `${file}: ${session.title}: only ${turn} of ${counted(turns, 'turn')} were written, for the output has no more room; --max-output 0 writes all`,
    )
    process.exitCode = EXIT.usage
    return
  }
  if (parts === null) await output.print('\n')
}
