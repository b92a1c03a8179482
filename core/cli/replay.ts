import { basename } from 'node:path'
import { counted } from '../engine/result.ts'
import type { Session } from '../engine/schema/session.ts'
import type { Part, TurnTrace } from '../engine/schema/trace.ts'
import { jsonLine, notice, styled } from '../host/shared/terminal.ts'
import { command } from './command.ts'
import { CONFIG } from './options.ts'
import { numberedFromOne } from './numbering.ts'
import { createMeter, print } from './output.ts'
import { type Replayer, openReplayer, readFile } from './replayer.ts'
import { type Column, createTable, firstWords } from './table.ts'

/** `replay FILE…`: every turn of every session, as a table or as traces. */
export const replay = command({
  name: 'replay',
  summary: 'classify every turn of transcripts: a table, or with --json one trace a line',
  args: [['<file...>', 'transcripts, of any known format']],
  options: CONFIG,
  run: async (options, files) => {
    const replayer = await openReplayer(options)
    for (const file of files) {
      const opened = await readFile(file)
      for (const session of opened.transcript.sessions) {
        await replaySession(replayer, { file, session, json: options.json === true })
      }
    }
  },
})

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

function both({ primary, secondary }: TurnTrace, of: (part: Part) => string): string {
  return secondary === null ? of(primary) : `${of(primary)} + ${of(secondary)}`
}

/** Breaks and resisted turns stand out. */
function marked({ momentum }: TurnTrace, line: string): string {
  if (momentum.event === 'break') return styled('bold', line)
  return momentum.event === 'resist' ? styled('yellow', line) : line
}

interface Shown {
  readonly file: string
  readonly session: Session
  readonly json: boolean
}

async function replaySession(replayer: Replayer, { file, session, json }: Shown): Promise<void> {
  const meter = createMeter()
  const replayed = await replayer.replay(session, (done, total) =>
    meter.show(`${basename(file)} ${done} of ${total} turns`),
  )
  meter.clear()
  for (const warning of replayed.columns.warnings) notice(`${file}: ${warning}`)
  const table = createTable(COLUMNS, process.stdout.isTTY ? process.stdout.columns : 200)
  if (!json) {
    const { turns } = replayed.columns
    const title = `${file}  ${session.title}  ${counted(turns, 'turn')}`
    await print(`${styled('bold', title)}\n${table.head()}\n`)
  }
  for (let turn = 0; turn < replayed.columns.turns; turn += 1) {
    const trace = replayer.trace(replayed, turn)
    const line = json
      ? jsonLine(numberedFromOne({ file, session: session.id, ...trace }))
      : marked(trace, table.row(trace))
    await print(`${line}\n`)
  }
  if (!json) await print('\n')
}
