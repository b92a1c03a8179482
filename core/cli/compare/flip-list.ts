import type { CorpusFlip, FlipReport } from '../../engine/schema/lab.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { jsonLine, styled } from '../../host/platform/terminal.ts'
import type { LabCorpus } from '../lab/lab-corpus.ts'
import { type Linker, placeInCorpus } from '../kit/links.ts'
import { print } from '../kit/output.ts'
import { rightCell } from '../kit/table.ts'

/** [L106] The list of flips: its beginning is written while the rest is still compared. */
export function createFlipList(corpus: LabCorpus, isJson: boolean, link: Linker) {
  const write = isJson ? printJson : textPrinter(link)
  const { onProgress } = corpus.waiting
  let isBegun = false
  let written: Promise<number> = Promise.resolve(0)
  const writeOn = (report: FlipReport): Promise<number> =>
    (written = written.then(async (from) => {
      await write(corpus, report, from)
      return report.flips.length
    }))
  return {
    early: {
      onProgress: (done: number, total: number): void => {
        // What shows how far it is would stand among the lines.
        if (!isBegun) onProgress?.(done, total)
      },
      onFirst: (report: FlipReport): void => {
        onProgress?.(1, 1)
        isBegun = true
        // A failure is thrown to whoever awaits the rest.
        writeOn(report).catch(() => undefined)
      },
    },
    rest: writeOn,
  }
}

async function printJson({ read }: LabCorpus, report: FlipReport, from: number): Promise<void> {
  for (const flip of report.flips.slice(from)) {
    const { path = null, id = '' } = read.origins[flip.session] ?? {}
    await print(
      `${jsonLine(numberedFromOne({ type: 'flip', file: path, sessionId: id, ...flip }))}\n`,
    )
  }
}

const textPrinter =
  (link: Linker) =>
  async ({ read }: LabCorpus, report: FlipReport, from: number): Promise<void> => {
    let session = report.flips[from - 1]?.session ?? -1
    for (const flip of report.flips.slice(from)) {
      if (flip.session !== session) {
        const origin = read.origins[flip.session]
        await print(`${styled('bold', `${origin?.path ?? ''}  ${origin?.title ?? ''}`)}\n`)
      }
      session = flip.session
      const turn = link(placeInCorpus(read, flip.session, flip.seq), String(flip.turn + 1))
      await print(`${flipText(flip, turn)}\n`)
    }
  }

const pair = ({ primary, secondary }: CorpusFlip['before']) =>
  secondary === null ? primary : `${primary} + ${secondary}`

/** @param shown number of the turn, which may be a link */
function flipText(flip: CorpusFlip, shown: string): string {
  const { turn, cause, since, before, after, gained, lost, verdict, fields } = flip
  const why = cause === 'direct' ? 'direct' : `by momentum since turn ${since + 1}`
  const signals = [...gained.map((name) => `+${name}`), ...lost.map((name) => `-${name}`)]
  const change =
    pair(before) === pair(after)
      ? `${pair(before)} (${fields.join(', ')})`
      : `${pair(before)} → ${pair(after)}`
  const label = verdict === null ? [] : [verdict.replace('_', ' ')]
  return [`${rightCell(String(turn + 1), 6, shown)}  ${change}`, why, ...signals, ...label].join(
    '  ',
  )
}
