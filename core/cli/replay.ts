import { basename } from 'node:path'
import type { Command } from 'commander'
import type { Session } from '../engine/schema/session.ts'
import { type ConfigOptions, withConfig } from './options.ts'
import { createMeter, notice, print, styled } from './output.ts'
import { type Bench, openBench, readFile } from './bench.ts'
import { tableHead, tableRow } from './table.ts'

/** `replay FILE…`: every turn of every session, as a table or as traces. */
export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('classify every turn of transcripts: a table, or with --json one trace a line')
    .argument('<file...>', 'transcripts, of any known format')
  withConfig(command).action(async (files: readonly string[], options: ConfigOptions) => {
    const bench = await openBench(options)
    for (const file of files) {
      const opened = await readFile(file)
      for (const session of opened.transcript.sessions) {
        await replaySession(bench, { file, session, json: options.json === true })
      }
    }
  })
}

interface Shown {
  readonly file: string
  readonly session: Session
  readonly json: boolean
}

async function replaySession(bench: Bench, { file, session, json }: Shown): Promise<void> {
  const meter = createMeter()
  const replay = await bench.replay(session, (done, total) =>
    meter.show(`${basename(file)} ${done} of ${total} turns`),
  )
  meter.clear()
  for (const warning of replay.columns.warnings) notice(`${file}: ${warning}`)
  const width = process.stdout.isTTY ? process.stdout.columns : 200
  if (!json) {
    const { turns } = replay.columns
    const title = `${file}  ${session.title}  ${turns} ${turns === 1 ? 'turn' : 'turns'}`
    await print(`${styled('bold', title)}\n${tableHead(width)}\n`)
  }
  for (let turn = 0; turn < replay.columns.turns; turn += 1) {
    const trace = bench.trace(replay, turn)
    const line = json
      ? JSON.stringify({ file, session: session.id, ...trace })
      : tableRow(trace, width)
    await print(`${line}\n`)
  }
  if (!json) await print('\n')
}
