import { observedOf, observedReplay, type Observed } from '../../engine/lab/flips/observed.ts'
import { diffSession } from '../../engine/lab/flips/session-diff.ts'
import type { SessionDiff, StageFlip } from '../../engine/schema/compare.ts'
import type { CorpusFlip } from '../../engine/schema/lab.ts'
import type { Session } from '../../engine/schema/session.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { openStages, type Stages } from '../kit/stages.ts'
import { type LINKS, type Linker, openLinker } from '../kit/links.ts'
import type { ConfigOptions, Given } from '../kit/options.ts'
import { EXIT, print } from '../kit/output.ts'
import { openReplayer, ownFormats, readFile, type Replayer } from '../replay/replayer.ts'
import { rightCell } from '../kit/table.ts'

interface Compared {
  readonly file: string
  /** Number of the session in the file, from 0. */
  readonly index: number
  readonly session: Session
  /** Records of domains, and of other stages. */
  readonly recorded: number
  readonly observed: ReadonlyMap<number, Observed>
  readonly diff: SessionDiff
}

/** [I91] `diff --observed FILE…`: compares the decisions that a file recorded when it ran with those of these rules. */
export async function diffObserved(
  options: ConfigOptions & Given<typeof LINKS>,
  files: readonly string[],
): Promise<void> {
  const replayer = await openReplayer(options)
  const stages = openStages(options)
  const link = await openLinker(options)
  let recorded = 0
  let parted = 0
  for (const file of files) {
    const { transcript } = await readFile(file, ownFormats(options))
    for (const [index, session] of transcript.sessions.entries()) {
      const compared = await compare({ replayer, stages }, { file, index, session })
      recorded += compared.recorded
      parted += compared.diff.total + compared.diff.stages.length
      if (compared.recorded > 0)
        await (options.json === true ? printJson(compared) : printText(compared, link))
    }
  }
  if (recorded === 0) {
    notice(
      'no turn has a recorded domain: looked for the fields _bst_compound and _bst_domain, for [BST] log lines, and for recorded query types, self-signals, personas and verdicts',
    )
    process.exitCode = EXIT.usage
  } else if (parted > 0) process.exitCode = EXIT.findings
}

interface Around {
  readonly replayer: Replayer
  readonly stages: Stages
}

async function compare(
  { replayer, stages }: Around,
  of: Pick<Compared, 'file' | 'index' | 'session'>,
): Promise<Compared> {
  const { session } = of
  const base = await replayer.replay(session)
  const observed = observedOf(session.events, [...base.columns.seq], session.texts)
  const { here, there } = await stages.compare({ session, here: stages.side(base), there: null })
  const diff = diffSession(
    { replay: base, stages: here },
    { replay: observedReplay(base, observed), stages: there },
    new Map(),
  )
  const others = [...there.values()].reduce((sum, { size }) => sum + size, 0)
  return { ...of, recorded: observed.size + others, observed, diff }
}

/** [B17] From 1. */
const turnOf = (flip: CorpusFlip | undefined): number | null =>
  flip === undefined ? null : flip.turn + 1

const both = ({ primary, secondary }: CorpusFlip['before']): string =>
  secondary === null ? primary : `${primary} + ${secondary}`

async function printJson({ file, session, observed, diff }: Compared): Promise<void> {
  const place = { file, session: session.id }
  for (const { turn, seq, before } of diff.flips)
    await print(
      `${jsonLine({ type: 'parted', ...place, turn: turn + 1, seq, observed: observed.get(seq), replayed: { primary: before.primary, secondary: before.secondary } })}\n`,
    )
  for (const { was, is, ...flip } of diff.stages)
    await print(`${jsonLine({ type: 'parted', ...place, ...flip, observed: is, replayed: was })}\n`)
  const counts = {
    turns: diff.turns,
    recorded: observed.size,
    parted: diff.total,
    first: turnOf(diff.flips[0]),
    stages: diff.stageTotals,
  }
  await print(`${jsonLine({ type: 'observed', ...place, ...counts })}\n`)
}

/** [L51] One event for which another stage says something else. */
export function stageText(
  { stage, seq, was, is }: StageFlip,
  link: (text: string) => string,
): string {
  const event = `event ${seq + 1}`
  return `${rightCell(event, 12, link(event))}  ${stage}: ${was} → ${is}`
}

async function printText(
  { file, index, session, observed, diff }: Compared,
  link: Linker,
): Promise<void> {
  const linkTo = (seq: number) => (text: string) => link({ file, session: index, event: seq }, text)
  await print(`${styled('bold', `${file}  ${session.title}`)}\n`)
  for (const { turn, seq, before } of diff.flips) {
    const record = observed.get(seq)
    if (record === undefined) continue
    const number = String(turn + 1)
    await print(
      `${rightCell(number, 6, linkTo(seq)(number))}  ran as ${both({ ...record, enriched: 0 })} (${record.from}), these rules say ${both(before)}\n`,
    )
  }
  for (const flip of diff.stages) await print(`${stageText(flip, linkTo(flip.seq))} (recorded)\n`)
  const first = turnOf(diff.flips[0])
  const end = first === null ? 'all as recorded' : `they part first in turn ${first}`
  await print(
    `${diff.total} of ${observed.size} recorded turns differ (${diff.turns} turns in all); ${end}\n`,
  )
  for (const { stage, compared, flips } of diff.stageTotals)
    await print(`${flips} of ${compared} recorded of ${stage} differ\n`)
}
