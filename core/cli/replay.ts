import { basename } from 'node:path'
import { counted } from '../engine/result.ts'
import type { Session } from '../engine/schema/session.ts'
import { command } from './command.ts'
import { CONFIG } from './options.ts'
import { createMeter, notice, print, styled } from './output.ts'
import { type Replayer, openReplayer, readFile } from './replayer.ts'
import { tableHead, tableRow } from './table.ts'

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
  const width = process.stdout.isTTY ? process.stdout.columns : 200
  if (!json) {
    const { turns } = replayed.columns
    const title = `${file}  ${session.title}  ${counted(turns, 'turn')}`
    await print(`${styled('bold', title)}\n${tableHead(width)}\n`)
  }
  for (let turn = 0; turn < replayed.columns.turns; turn += 1) {
    const trace = replayer.trace(replayed, turn)
    const line = json
      ? JSON.stringify({ file, session: session.id, ...trace })
      : tableRow(trace, width)
    await print(`${line}\n`)
  }
  if (!json) await print('\n')
}
