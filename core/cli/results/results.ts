import { resolve } from 'node:path'
import process from 'node:process'
import { InvalidArgumentError } from 'commander'
import { counted } from '../../engine/result.ts'
import {
  type FlipsOf,
  MAY_LACK_ROWS,
  type ResultsCounts,
  ResultsFilter,
  type ResultsFlip,
  type ResultsPlace,
} from '../../engine/schema/results.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { countResults } from '../../host/results/counts.ts'
import { editResults } from '../../host/results/edit/edit.ts'
import { flipPage, turnPage } from '../../host/results/pages.ts'
import { type Results, openResults } from '../../host/results/results.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { ownAutomata } from '../../host/automata/write.ts'
import { HOME, THREADS } from '../../place.ts'
import { command } from '../kit/command.ts'
import { openLab } from '../lab/lab-corpus.ts'
import { parseSide } from '../lab/lab-side.ts'
import { LINKS, type Linker, isPlain, openLinker, type LinkTo } from '../kit/links.ts'
import { CONFIG, type Given, configOf, oneOf, parseCount, parsed, text } from '../kit/options.ts'
import { EXIT, createMeter, print } from '../kit/output.ts'
import { createTable } from '../kit/table.ts'
import { TRUST } from '../trust/trust-option.ts'
import { findSource } from '../../host/results/source-file.ts'

const OPTIONS = {
  domain: text('--domain <name>', 'only turns and flips of this domain'),
  flip: parsed('--flip <from:to>', 'only flips from one domain to another', parseFlip),
  cause: oneOf('--cause <cause>', 'only flips of this cause', ['direct', 'momentum']),
  file: text('--file <path>', 'only this source, as the batch was given it'),
  session: text('--session <text>', 'only sessions whose name has this text in it'),
  list: oneOf('--list <what>', 'the turns or flips themselves', ['turns', 'flips']),
  most: parsed('--most <count>', 'most rows that are listed', parseCount, 100),
  edit: text(
    '--edit <side>',
    'flips of this preset or domain file, by the matches that the batch stored, instead of those of --against',
  ),
  ...LINKS,
  ...CONFIG,
  ...TRUST,
}

/** [F144] `results FOLDER`: counts of a batch by domain and by flip, or the rows behind them. */
export const results = command({
  name: 'results',
  summary: 'say what a batch found: turns by domain, flips by pair and cause, or the rows',
  args: [['<folder>', 'what `batch --out` filled']],
  options: OPTIONS,
  run: runResults,
})

function parseFlip(value: string): readonly [string, string] {
  const at = value.indexOf(':')
  if (at > 0 && at < value.length - 1) return [value.slice(0, at), value.slice(at + 1)]
  throw new InvalidArgumentError('Write FROM:TO.')
}

async function runResults(given: Given<typeof OPTIONS>, folder: string): Promise<void> {
  const { flip, json = false, list, most } = given
  const filter = ResultsFilter.parse({
    domain: given.domain,
    cause: given.cause,
    file: given.file,
    session: given.session,
    from: flip?.[0],
    to: flip?.[1],
  })
  const opened = await openResults(resolve(folder))
  try {
    if (opened.about.mayLackRows) notice(`${folder}: ${MAY_LACK_ROWS}`)
    const flips = given.edit === undefined ? 'against' : await tryEdit(opened, given, given.edit)
    if (list !== undefined) {
      const link = await openLinker(given)
      const placeOf = isPlain(link)
        ? () => Promise.resolve(null)
        : rowPlaces(opened, given.workspace)
      await printRows(opened, { list, filter, flips, most, json, link, placeOf })
    } else {
      const counts = await countResults(opened, { filter, flips, by: 'file', of: 'turns' })
      if (json) await print(`${jsonLine(counts)}\n`)
      else await printCounts(opened, counts)
    }
  } finally {
    opened.close()
  }
}

/** [F146] Puts the flips of an edit where those of the batch are asked; answers which edit it is. */
async function tryEdit(
  opened: Results,
  given: Given<typeof OPTIONS>,
  name: string,
): Promise<FlipsOf> {
  const lab = await openLab(given)
  const side = await lab.resolve(await parseSide(lab, name, configOf(given)))
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const meter = createMeter()
  const { edit, warnings, notes, scanned, total, elapsedMs } = await editResults(opened, side, {
    base: given.workspace,
    signal: stop.signal,
    formats: workspaceFormats(lab.workspace),
    threads: {
      url: THREADS.edit,
      automata: { shipped: HOME, automata: ownAutomata(process.env)?.folder ?? null },
    },
    onProgress: (stage, done, all) =>
      meter.show(`${stage} ${Math.floor((100 * done) / Math.max(1, all))} %`),
  })
  meter.clear()
  for (const line of [...warnings, ...notes]) notice(line)
  notice(
    `${counted(total, 'flip')} in ${(elapsedMs / 1000).toFixed(1)} s; ${scanned === 0 ? 'no text was read' : `texts were read for ${counted(scanned, 'signal')}`}`,
  )
  if (warnings.length > 0) process.exitCode = EXIT.usage
  return edit
}

/** Rows requested at a time. */
const PAGE = 500

interface Listed {
  readonly list: 'turns' | 'flips'
  readonly filter: ResultsFilter
  readonly flips: FlipsOf
  readonly most: number
  readonly json: boolean
  readonly link: Linker
  readonly placeOf: RowPlaces
}

async function printRows(
  opened: Results,
  { list, most, json, link, placeOf, ...asked }: Listed,
): Promise<void> {
  for (let from = 0; from < most; from += PAGE) {
    const page = { ...asked, from, most: Math.min(PAGE, most - from) }
    const rows =
      list === 'turns'
        ? (await turnPage(opened, page)).map((row) => [row, row.primary] as const)
        : (await flipPage(opened, page)).map((row) => [row, flipText(row)] as const)
    for (const [row, said] of rows) {
      const turn = link(await placeOf(row), String(row.turn))
      await print(
        json ? `${jsonLine(row)}\n` : `${row.file}:${row.row} ${row.session} ${turn}  ${said}\n`,
      )
    }
    if (rows.length < page.most) return
  }
  notice(`these are the first ${most}; give --most for more`)
}

function flipText({ primaryWas, primaryIs, fields, cause, since }: ResultsFlip): string {
  const change =
    primaryWas === primaryIs
      ? `${primaryWas} (${fields.join(', ')})`
      : `${primaryWas} → ${primaryIs}`
  return `${change}  ${cause === 'direct' ? 'direct' : `by momentum since turn ${since}`}`
}

async function printCounts({ about }: Results, counts: ResultsCounts): Promise<void> {
  const { turns, textless, domains, flips, pairs, panels, otherPanels } = counts
  const lines = [
    `${counted(turns, 'turn')} with a text, rows without text: ${textless}, in ${counted(about.sessions, 'session')} of all`,
    ...tableOf(
      ['turns', 'domain'],
      domains.map((one) => [String(one.turns), one.domain]),
    ),
    ...tableOf(
      ['turns', 'flips', 'source'],
      panels.map((one) => [String(one.turns), String(one.flips), one.name]),
    ),
    ...(otherPanels > 0 ? [`… and ${counted(otherPanels, 'more source')}`] : []),
  ]
  if (flips !== null)
    lines.push(
      `${counted(flips.total, 'flip')}: ${flips.direct} direct, ${flips.momentum} by momentum`,
      ...tableOf(
        ['direct', 'momentum', 'flip'],
        pairs.map(({ direct, momentum, from, to }) => [
          String(direct),
          String(momentum),
          from === to ? `${from}, not the primary` : `${from} → ${to}`,
        ]),
      ),
    )
  await print(`${lines.join('\n')}\n`)
}

/** Numbers, then a name. */
function tableOf(
  heads: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
): readonly string[] {
  if (rows.length === 0) return []
  const columns = heads.map((title, at) => ({
    title,
    width: Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
    right: at < heads.length - 1,
    of: (row: readonly string[]) => row[at] ?? '',
  }))
  const layout = createTable(columns, Infinity)
  return ['', styled('dim', layout.head()), ...rows.map((row) => layout.row(row)), '']
}

/** The link target of a result row. Null if its source is missing or has changed. */
type RowPlaces = (row: ResultsPlace) => Promise<LinkTo | null>

/**
 * [F189] Places of rows of results. A turn of a transcript is named by the id of its session, which the row has; a row of
 * a table by the results, the source and the session (F142).
 * @param base where relative paths of sources start
 */
function rowPlaces({ files }: Pick<Results, 'files'>, base: string): RowPlaces {
  const sources = new Map<string, ReturnType<typeof sourceAt>>()
  const sourceAt = (file: string) => findSource(files, file, base).catch(() => null)
  return async ({ file, session, turn }) => {
    const finding = sources.get(file) ?? sourceAt(file)
    sources.set(file, finding)
    const source = await finding
    if (source === null) return null
    if (source.planned.kind !== 'transcript') return { results: files.folder, file, session, turn }
    const path = source.path
    const id = session.slice(file.length + 1)
    return session.startsWith(`${file}#`) && id !== '' ? { file: path, session: id, turn } : null
  }
}
