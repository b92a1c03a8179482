import type { Command } from 'commander'
import { openBench, readFile } from './bench.ts'
import { type ConfigOptions, parseCount, withConfig } from './options.ts'
import { CommandError, print } from './output.ts'
import { explainTurn } from './prose.ts'

interface ExplainOptions extends ConfigOptions {
  readonly session: number
}

/** `explain FILE#TURN`: the whole reason of one turn. */
export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .description('say why a turn was classified as it was: signals, momentum rule, enrichment')
    .argument('<file#turn>', 'transcript and turn, numbered from 1 as the screen shows it')
    .option('--session <n>', 'which session of the file, from 1', parseCount, 1)
  withConfig(command).action(async (target: string, options: ExplainOptions) => {
    const { file, turn } = parseTarget(target)
    const bench = await openBench(options)
    const opened = await readFile(file)
    const session = opened.transcript.sessions[options.session - 1]
    if (!session) {
      const count = opened.transcript.sessions.length
      throw new CommandError({
        what: `there is no session ${options.session}`,
        where: file,
        do: count === 1 ? 'It has one session' : `It has sessions 1 to ${count}`,
      })
    }
    const replay = await bench.replay(session)
    const { turns } = replay.columns
    if (turn > turns) {
      throw new CommandError({
        what: `there is no turn ${turn}`,
        where: file,
        do:
          turns === 0
            ? 'Nothing in it is classified; see --classify'
            : `It has turns 1 to ${turns}`,
      })
    }
    const trace = bench.trace(replay, turn - 1)
    await print(
      options.json === true
        ? `${JSON.stringify({ file, session: session.id, ...trace })}\n`
        : explainTurn(trace),
    )
  })
}

/** The last `#` parts file and turn: file names may contain others. */
function parseTarget(target: string): { readonly file: string; readonly turn: number } {
  const match = /^(?<file>.+)#(?<turn>\d{1,9})$/su.exec(target)
  const file = match?.groups?.['file']
  const turn = Number(match?.groups?.['turn'] ?? 0)
  if (file !== undefined && turn >= 1) return { file, turn }
  throw new CommandError({
    what: 'no turn is named',
    where: target,
    do: 'Write FILE#TURN, for example session.jsonl#14; turns count from 1',
  })
}
