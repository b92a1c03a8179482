import { resolve } from 'node:path'
import type { Indexed } from '../../host/probe/collections/indexer.ts'
import { keywordCoverage } from '../../engine/probe/keyword-coverage.ts'
import { probeText, retrieveWith } from '../../host/probe/retrieval.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { type Given, JSON_LINE, PRESET, WORKSPACE, flag, text } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'
import { offerModel } from '../get/get.ts'
import { probeOptions, watched, withProbe } from './probe-service.ts'
import { probeReport } from './probe-report.ts'
import { TRUST } from '../trust/trust-option.ts'
import type { KeywordRow } from '../../engine/schema/hit-rate.ts'

const INDEX = {
  rebuild: flag('--rebuild', 'make all vectors again, also those of another embedder'),
  ...JSON_LINE,
  ...TRUST,
  ...WORKSPACE,
}

/** [D49] `index COLLECTION PATH…`: brings a collection of the probe up to date with its documents. */
export const index = command({
  name: 'index',
  summary: 'bring a collection of the semantic probe up to date with its documents',
  args: [
    ['<collection>', 'name; a new one is added to profiles/collections.yaml'],
    ['[path...]', 'folders and files that join the collection (default: those it has)'],
  ],
  options: INDEX,
  run: runIndex,
})

async function runIndex(
  { rebuild = false, json = false, ...of }: Given<typeof INDEX>,
  collection: string,
  paths: readonly string[],
): Promise<void> {
  await offerModel()
  const request = { collection, rebuild, paths: paths.map((path) => resolve(path)) }
  try {
    const indexed = await withProbe(of, ({ service, settings }) =>
      watched((work) => service.index(request, settings, work)),
    )
    if (indexed.note !== null) notice(`${collection}: ${indexed.note}`)
    for (const { path, reason } of indexed.skipped) notice(`${path}: skipped, ${reason}`)
    const line = json ? jsonLine({ collection, ...indexed }) : said(collection, indexed)
    await print(`${line}\n`)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    notice('cancelled; what was done so far is kept: run the same command to go on')
    process.exitCode = EXIT.usage
  }
}

function said(collection: string, indexed: Indexed): string {
  const { documents, chunks, added, changed, removed, calibrated } = indexed
  const what = `${added} added, ${changed} changed, ${removed} removed`
  const least =
    calibrated === null ? '' : `; phrases that belong nowhere stay below ${calibrated.toFixed(2)}`
  return `${collection}: ${documents} documents in ${chunks} chunks (${what})${least}`
}

const PROBE = {
  ...PRESET,
  embedder: text('--embedder <name>', 'embedder of the settings (default: the one in use)'),
  explain: flag(
    '--explain',
    'also show the text of the chunks and what stayed below the threshold',
  ),
  keywords: flag(
    '--keywords',
    'say which keywords of personas the probe covers; no text is needed',
  ),
  ...JSON_LINE,
  ...TRUST,
  ...WORKSPACE,
}

/** [D49] `probe TEXT`: prints the findings of the semantic probe for a message, and the text added to the prompt. */
export const probe = command({
  name: 'probe',
  summary: 'probe a message against every collection: phrases, hits, persona, prompt',
  args: [['[text]', 'what a person would write']],
  options: PROBE,
  run: async (given, message) => {
    if (given.keywords === true) await runKeywords(given)
    else if (message !== undefined) await runProbe(given, message)
    else throw new CommandError(NO_TEXT)
  },
})

/** [D68] Maximum documents that `--json` lists: those that a prompt would retrieve after the probe. */
const MOST_RETRIEVED = 20

const NO_TEXT = {
  what: 'there is no text to probe',
  where: 'probe',
  do: 'Write one in quotes, or --keywords',
}

/** [D72] The keywords of every collection that has a persona. */
async function runKeywords(given: Given<typeof PROBE>): Promise<void> {
  const options = await probeOptions(given.workspace, given.preset)
  const rows = await withProbe(given, async ({ service, settings }) => {
    const { embedder = null } = given
    const asked = await watched((work) => service.asked(settings, embedder, work))
    return valueOrFail(await keywordCoverage(options, asked.ports(new AbortController().signal)))
  })
  await print(given.json === true ? `${jsonLine({ keywords: rows })}\n` : keywordTable(rows))
}

async function runProbe(given: Given<typeof PROBE>, message: string): Promise<void> {
  const { workspace, embedder = null, json = false, explain = false } = given
  if (embedder === null) await offerModel()
  const options = await probeOptions(workspace, given.preset)
  const question = { text: message, options, embedder, preset: 'recommended' }
  const { result, retrieved } = await withProbe(given, async ({ service, settings }) => {
    const result = await watched((work) => probeText(service, settings, question, work))
    const wanted = { text: message, most: MOST_RETRIEVED, options, embedder }
    const retrieved = json
      ? await watched((work) => retrieveWith(service, settings, wanted, work))
      : null
    return { result, retrieved }
  })
  for (const error of result.errors) {
    notice(`${error.collection ?? 'embedder'}: ${error.what}. ${error.do}`)
  }
  await print(json ? `${jsonLine({ ...result, retrieved })}\n` : probeReport(result, explain))
  // Half an answer must not pass for a whole one in a script.
  if (result.errors.length > 0) process.exitCode = EXIT.usage
}

const NAME_WIDTH = 28

/** [D72] For people: keyword, whether it is still needed, and what answers instead. */
function keywordTable(rows: readonly KeywordRow[]): string {
  if (rows.length === 0) return 'no collection has keywords\n'
  const lines = rows.map((row) => {
    const { keyword, covered, collection } = row
    const word = covered ? 'covered' : 'needed'
    return `${keyword.padEnd(NAME_WIDTH)} ${word.padEnd(8)} ${collection}  ${whyOf(row)}`
  })
  const covered = rows.filter((row) => row.covered).length
  return `${lines.join('\n')}\n${covered} of ${rows.length} keywords are covered by the probe\n`
}

function whyOf({ covered, hit, collection, best }: KeywordRow): string {
  const near = best === null ? '' : `${best.score.toFixed(2)} of ${best.threshold.toFixed(2)}`
  if (covered) return `${near}, ${best?.filename ?? ''}`
  if (hit !== null && hit !== collection) return `${hit} is hit instead`
  return best === null ? 'nothing is near it' : `${near} in ${best.filename}: no hit`
}
