import type { CorpusFlip, FlipReport } from '../engine/schema/lab.ts'
import { numberedFromOne } from '../host/shared/numbering.ts'
import { jsonLine, styled } from '../host/shared/terminal.ts'
import type { LabCorpus } from './lab-corpus.ts'
import { print } from './output.ts'

/** [L106] The list of flips: its beginning is written while the rest is still compared. */
export function createFlipList(corpus: LabCorpus, isJson: boolean) {
  const write = isJson ? printJson : printText
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

async function printText({ read }: LabCorpus, report: FlipReport, from: number): Promise<void> {
  let session = report.flips[from - 1]?.session ?? -1
  for (const flip of report.flips.slice(from)) {
    if (flip.session !== session) {
      const origin = read.origins[flip.session]
      await print(`${styled('bold', `${origin?.path ?? ''}  ${origin?.title ?? ''}`)}\n`)
    }
    session = flip.session
    await print(`${flipText(flip)}\n`)
  }
}

const pair = ({ primary, secondary }: CorpusFlip['before']) =>
  secondary === null ? primary : `${primary} + ${secondary}`

function flipText(flip: CorpusFlip): string {
  const { turn, cause, since, before, after, gained, lost, verdict, fields } = flip
  const why = cause === 'direct' ? 'direct' : `by momentum since turn ${since + 1}`
  const signals = [...gained.map((name) => `+${name}`), ...lost.map((name) => `-${name}`)]
  const change =
    pair(before) === pair(after)
      ? `${pair(before)} (${fields.join(', ')})`
      : `${pair(before)} → ${pair(after)}`
  const label = verdict === null ? [] : [verdict.replace('_', ' ')]
  return [`${String(turn + 1).padStart(6)}  ${change}`, why, ...signals, ...label].join('  ')
}
