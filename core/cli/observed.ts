import { observedOf, partings, type Observed, type Parted } from '../engine/lab/observed.ts'
import type { Session } from '../engine/schema/session.ts'
import { jsonLine, notice, styled } from '../host/shared/terminal.ts'
import type { ConfigOptions } from './options.ts'
import { EXIT, print } from './output.ts'
import { openReplayer, readFile, type Replayer } from './replayer.ts'

interface Compared {
  readonly file: string
  readonly session: Session
  readonly turns: number
  readonly recorded: number
  readonly parted: readonly Parted[]
}

/** [I91] `diff --observed FILE…`: what a file recorded when it ran, against what these rules say. */
export async function diffObserved(
  options: ConfigOptions,
  files: readonly string[],
): Promise<void> {
  const replayer = await openReplayer(options)
  let [recorded, parted] = [0, 0]
  for (const file of files) {
    const { transcript } = await readFile(file)
    for (const session of transcript.sessions) {
      const compared = await compare(replayer, file, session)
      recorded += compared.recorded
      parted += compared.parted.length
      if (compared.recorded > 0) await (options.json === true ? printJson : printText)(compared)
    }
  }
  if (recorded === 0) {
    notice(
      'no turn has a recorded domain: looked for the fields _bst_compound and _bst_domain, and for [BST] log lines',
    )
    process.exitCode = EXIT.usage
  } else if (parted > 0) process.exitCode = EXIT.findings
}

async function compare(replayer: Replayer, file: string, session: Session): Promise<Compared> {
  const { columns } = await replayer.replay(session)
  const name = (place: number | undefined) => columns.domains[place ?? -1] ?? null
  const seqs = Array.from({ length: columns.turns }, (_, turn) => columns.seq[turn] ?? -1)
  const observed = observedOf(session.events, seqs, session.texts)
  const replayed = seqs.map((seq, turn) => ({
    ...{ turn, seq },
    replayed: {
      primary: name(columns.primary[turn]) ?? '',
      secondary: name(columns.secondary[turn]),
    },
  }))
  const parted = partings(observed, replayed)
  return { file, session, turns: columns.turns, recorded: observed.size, parted }
}

const both = ({ primary, secondary }: Pick<Observed, 'primary' | 'secondary'>): string =>
  secondary === null ? primary : `${primary} + ${secondary}`

async function printJson({ file, session, turns, recorded, parted }: Compared): Promise<void> {
  for (const each of parted)
    await print(`${jsonLine({ type: 'parted', file, session: session.id, ...each })}\n`)
  const first = parted[0]?.turn ?? null
  const counts = { turns, recorded, parted: parted.length, first }
  await print(`${jsonLine({ type: 'observed', file, session: session.id, ...counts })}\n`)
}

async function printText({ file, session, turns, recorded, parted }: Compared): Promise<void> {
  await print(`${styled('bold', `${file}  ${session.title}`)}\n`)
  for (const { turn, observed, replayed } of parted) {
    const number = String(turn + 1).padStart(6)
    await print(
      `${number}  ran as ${both(observed)} (${observed.from}), these rules say ${both(replayed)}\n`,
    )
  }
  const [first] = parted
  const end = first === undefined ? 'all as recorded' : `they part first in turn ${first.turn + 1}`
  await print(
    `${parted.length} of ${recorded} recorded turns differ (${turns} turns in all); ${end}\n`,
  )
}
