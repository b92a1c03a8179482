import { isOpen, readerOf, readerReport } from '../../engine/lab/readers/agreement.ts'
import { readLabelFile } from '../../host/labels/label-store.ts'
import { readingsOf } from '../../host/corpus/lab/label-readings.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { readersText } from './agreement-text.ts'
import { command } from '../kit/command.ts'
import { labelFilesOf } from '../lab/lab-corpus.ts'
import { COMMON, flag, type Given } from '../kit/options.ts'
import { CommandError, EXIT, print } from '../kit/output.ts'
import { firstWords } from '../kit/table.ts'

const OPTIONS = { ...COMMON, json: flag('--json', 'one line of JSON instead of text') }

/** [L87] `agreement LABELS…`: how far readers of the same turns agree. */
export const agreement = command({
  name: 'agreement',
  summary: 'how far two readers agree: kappa, and what is to be settled',
  args: [['<labels...>', 'labels files, or folders of them; sessions are not needed']],
  options: OPTIONS,
  help: `
Who labelled is what the label says (by); where it says nothing, its file is the reader.
Exit code 1 while something is to be settled.`,
  run: runAgreement,
})

async function runAgreement(
  options: Given<typeof OPTIONS>,
  paths: readonly string[],
): Promise<void> {
  const all = (await Promise.all(paths.map(labelFilesOf))).flat()
  const read = await Promise.all(all.map((path) => readLabelFile(path)))
  const files = read.filter((file) => file !== null)
  const errors = files.flatMap(({ path, lines }) =>
    lines.flatMap(({ line, problem }) => (problem === null ? [] : [`${path}:${line}: ${problem}`])),
  )
  const items = readingsOf(files)
  const report = readerReport(items.map(({ readings }) => readings))
  if (report.readers.length < 2) {
    const what = 'all labels are of one reader'
    throw new CommandError({ what, where: paths.join(' '), do: 'Name the labels of a second one' })
  }
  const open = items
    .filter(({ readings }) => isOpen(readings))
    .map(({ place, readings }) => ({
      place,
      readings: readings.map((one) => ({ by: readerOf(one), primary: one.primary })),
    }))
  await print(
    options.json === true
      ? `${jsonLine({ ...report, disagreements: open })}\n`
      : [...readersText(report), ...open.map(lineOf), ''].join('\n'),
  )
  for (const error of errors) notice(error)
  if (errors.length > 0) process.exitCode = EXIT.usage
  else if (report.open > 0) process.exitCode = EXIT.findings
}

interface Open {
  readonly place: string
  readonly readings: ReadonlyArray<{ readonly by: string; readonly primary: string }>
}

function lineOf({ place, readings }: Open): string {
  const said = readings.map(({ by, primary }) => `${by} ${primary}`).join(', ')
  return `  ${said}: ${firstWords(place, 90)}`
}
