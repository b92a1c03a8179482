import { measuredWords, reasonWords } from '../../engine/lab/queue/words.ts'
import { TURN_LISTS } from '../../engine/schema/queue.ts'
import { showQueue } from '../../host/queue/lab/queue.ts'
import type { ReadCorpus } from '../../host/corpus/lab/read-corpus.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import type { ShownQueue } from '../../wire/queue.ts'
import { readersText } from './agreement-text.ts'
import { command } from '../kit/command.ts'
import { sayCutOffs } from '../kit/cut-offs.ts'
import { embedTurns } from '../evaluate/embed-turns.ts'
import { openLab, openLabCorpus } from '../lab/lab-corpus.ts'
import { LINKS, type Linker, openLinker, placeInCorpus } from '../kit/links.ts'
import { CONFIG, flag, type Given, LABELS, oneOf, parseCount, parsed } from '../kit/options.ts'
import { EXIT, print } from '../kit/output.ts'
import { firstWords } from '../kit/table.ts'
import { TRUST } from '../trust/trust-option.ts'

const OPTIONS = {
  ...LABELS,
  list: oneOf(
    '--list <list>',
    'queue: turns likely to be wrong; random: a draw to compare it with; disagreements of readers',
    TURN_LISTS,
  ),
  most: parsed('--most <count>', 'most turns listed', parseCount, 50),
  rulesOnly: flag('--rules-only', 'no second opinion: nothing is embedded'),
  ...LINKS,
  ...CONFIG,
  ...TRUST,
}

/** [L81] `queue FILE…`: turns to label next, and why. */
export const queue = command({
  name: 'queue',
  summary: 'turns to label next: where the rules are likely to be wrong, and why',
  args: [['<file...>', 'sessions, or folders of them; labels beside them are read']],
  options: OPTIONS,
  run: runQueue,
})

async function runQueue(options: Given<typeof OPTIONS>, files: readonly string[]): Promise<void> {
  const lab = await openLab(options)
  const corpus = await openLabCorpus(lab, files, options.labels ?? [])
  const { read, work, waiting, errors } = corpus
  const scored = await work.score(lab.side.compiled.pipeline, waiting)
  sayCutOffs(scored, lab.side, work)
  const none = { vectors: new Map(), note: 'it was left out (--rules-only)' }
  const embedded = options.rulesOnly === true ? none : await embedTurns(corpus, scored, options)
  const { list = 'queue', most } = options
  const asked = { read, scored, watch: work.watch, list, most, ...embedded }
  const found = await work.run(showQueue(asked), waiting)
  const link = await openLinker(options)
  await print(
    options.json === true ? `${jsonLine(numberedFromOne(found))}\n` : textOf(found, read, link),
  )
  for (const error of errors) notice(error)
  if (errors.length > 0) process.exitCode = EXIT.usage
}

type Places = Pick<ReadCorpus, 'origins' | 'files'>

function textOf(found: ShownQueue, places: Places, link: Linker): string {
  const { items, total, turns, labelled, opinion, precision, readers, list } = found
  const lines = items.flatMap(({ turn, item }, at) => {
    const title = places.origins[turn.session]?.title ?? ''
    const number = link(placeInCorpus(places, turn.session, turn.seq), `turn ${turn.turn + 1}`)
    const evidence = item.opinion?.nearest ?? []
    return [
      `${String(at + 1).padStart(4)}  ${item.doubt.toFixed(2)}  ${item.decided.padEnd(18)} ${firstWords(turn.excerpt, 90)}`,
      `            ${title}, ${number}: ${reasonWords(item).join('; ')}`,
      ...item.readings.map(({ by, primary }) => `            ${by}: ${primary}`),
      ...evidence.map(
        (one) =>
          `            like (${one.similarity.toFixed(2)}) ${one.primary}: ${firstWords(one.excerpt, 70)}`,
      ),
    ]
  })
  const second =
    opinion.labels === 0
      ? `none (${opinion.note ?? ''}); the rules alone order this list`
      : `trained on ${opinion.labels} labels of this corpus${opinion.note === null ? '' : `; ${opinion.note}`}`
  return [
    `${list.padEnd(18)} ${items.length} of ${total} turns; ${labelled} of ${turns} turns have a label`,
    `second opinion     ${second}`,
    `wrong in the queue ${measuredWords(precision.queue)}, in the random list ${measuredWords(precision.random)}, first 50 labelled of each`,
    ...readersText(readers),
    '',
    ...lines,
    '',
  ].join('\n')
}
