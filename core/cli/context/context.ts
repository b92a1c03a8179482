import type { PriceFile } from '../../engine/context/prices.ts'
import type { Session } from '../../engine/schema/session.ts'
import { turnsOf } from '../../engine/turns.ts'
import { callRows, isOfTurn, partRows } from '../../host/context/call-rows.ts'
import { readContext, type ContextReading } from '../../host/context/read-context.ts'
import { readPrices } from '../../host/context/price-file.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { loadConfigOrPaths } from '../../host/workspace/config-files.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { HOME } from '../../place.ts'
import { command } from '../kit/command.ts'
import { CONFIG, configOf, parseCount, parsed, text, type Given } from '../kit/options.ts'
import { CommandError, print, valueOrFail } from '../kit/output.ts'
import { ownFormats, readFile } from '../replay/replayer.ts'
import { callText, headText, partsText } from './context-prose.ts'

const OPTIONS = {
  session: parsed('--session <n>', 'only this session of the file, from 1', parseCount),
  turn: parsed(
    '--turn <n>',
    'only calls of this turn, with each part of their context',
    parseCount,
  ),
  prices: text('--prices <file>', 'JSON file with prices per million tokens: adds the cost'),
  ...CONFIG,
}

/** `context FILE`: lists the context of each model call. */
export const context = command({
  name: 'context',
  summary: 'list what was in the context of each model call: tokens, cache, window, sources',
  args: [['<file>', 'transcript']],
  options: OPTIONS,
  run: runContext,
})

async function runContext(options: Given<typeof OPTIONS>, file: string): Promise<void> {
  const workspace = openWorkspace(options.workspace, HOME)
  const { preset, profile } = valueOrFail(await loadConfigOrPaths(workspace, configOf(options)))
  const prices = options.prices === undefined ? null : valueOrFail(await readPrices(options.prices))
  const { transcript } = await readFile(file, ownFormats(options))
  const { sessions } = transcript
  const classify = options.classify ?? preset.value.belief.classify
  for (const [index, session] of sessions.entries()) {
    if (options.session !== undefined && options.session !== index + 1) continue
    const turns = turnsOf(session.events, classify).map(({ seq }) => seq)
    if (options.turn !== undefined && options.turn > turns.length) {
      if (options.session === undefined && index > 0) continue
      throw noTurn(file, options.turn, turns.length)
    }
    const reading = await readContext(session, transcript, profile?.value ?? null)
    await printSession({ options, file, session, number: index + 1, turns, prices }, reading)
  }
  if (options.session !== undefined && options.session > sessions.length)
    throw noSession(file, options.session, sessions.length)
}

function noTurn(file: string, turn: number, last: number): CommandError {
  const what =
    last === 0
      ? 'The session has no turns. Choose other texts with --classify'
      : `It has turns 1 to ${last}`
  return new CommandError({ what: `there is no turn ${turn}`, where: file, do: what })
}

function noSession(file: string, session: number, last: number): CommandError {
  const what = last === 1 ? 'It has one session' : `It has sessions 1 to ${last}`
  return new CommandError({ what: `there is no session ${session}`, where: file, do: what })
}

interface Printing {
  readonly options: Given<typeof OPTIONS>
  readonly file: string
  readonly session: Session
  readonly number: number
  /** `seq` of each turn, in order. */
  readonly turns: readonly number[]
  readonly prices: PriceFile | null
}

async function printSession(printing: Printing, reading: ContextReading): Promise<void> {
  const { options, file, session, number } = printing
  if (reading.unknownTokenizer !== null)
    notice(`unknown tokenizer ${reading.unknownTokenizer}: estimated with ${reading.tokenizer}`)
  const isJson = options.json === true
  const isRecorded = reading.context.calls.some(({ recorded }) => recorded !== null)
  const head = { file, session: session.id, number, title: session.title, thread: session.thread }
  if (!isJson)
    await print(
      headText({
        ...head,
        isRecorded,
        tokenizer: reading.tokenizer,
        calls: reading.context.calls.length,
      }),
    )
  for (const { call, row, groups } of callRows(printing, reading)) {
    if (options.turn !== undefined && !isOfTurn(call, options.turn, printing.turns, reading))
      continue
    const parts = options.turn === undefined ? null : partRows(call, session, reading)
    const common = { ...row, tokenizer: reading.tokenizer, sources: groups }
    await print(
      isJson
        ? `${jsonLine({ ...head, ...common, ...(parts === null ? {} : { parts }) })}\n`
        : parts === null
          ? callText(row, groups)
          : partsText(row, groups, parts),
    )
  }
}
