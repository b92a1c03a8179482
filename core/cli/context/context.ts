import { groupsByCall, partsOf } from '../../engine/context/parts.ts'
import { costOf, type PriceFile } from '../../engine/context/prices.ts'
import { contextTokens, NOT_IN_FILE } from '../../engine/schema/context.ts'
import type { ContextCall } from '../../engine/context/fold.ts'
import type { Session } from '../../engine/schema/session.ts'
import { turnsOf } from '../../engine/turns.ts'
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
import { callText, headText, partsText, type CallRow, type PartRow } from './context-prose.ts'

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
  let nth = 0
  // Calls are in order, so the turn of each is the turn of the one before, or a later one.
  let turn = 0
  for (const { call, groups } of groupsByCall(reading.context)) {
    nth += 1
    const seq = call.to - reading.context.before
    while ((printing.turns[turn] ?? seq) < seq) turn += 1
    if (options.turn !== undefined && !isOfTurn(call, options.turn, printing, reading)) continue
    const row = callRow(call, { nth, turn }, printing, reading)
    const parts = options.turn === undefined ? null : partRows(call, printing, reading)
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

/** A call is that of the turns since the call before: of several results, which one call answers, too. */
function isOfTurn(
  { added, to }: ContextCall,
  turn: number,
  { turns }: Pick<Printing, 'turns'>,
  { context: { before, calls } }: ContextReading,
): boolean {
  const seq = turns[turn - 1]
  const next = turns[turn]
  if (seq === undefined) return false
  const place = seq + before
  if (to > place && added <= place) return true
  const isFirst = calls[0]?.to === to
  if (isFirst) return place < to
  return to > place && (next === undefined || to < next + before)
}

function callRow(
  call: ContextCall,
  { nth, turn }: { readonly nth: number; readonly turn: number },
  { prices }: Printing,
  reading: ContextReading,
): CallRow {
  const { recorded, cut, to } = call
  const { before, events } = reading.context
  const model = reading.modelOf(call)
  const seq = to - before
  const tokens = recorded === null ? null : contextTokens(recorded)
  const window = reading.windowOf(call)
  return {
    call: nth,
    turn: turn === 0 ? null : turn,
    event: seq + 1,
    at: events[to]?.at ?? null,
    model,
    tokens,
    recorded,
    window,
    cost: recorded === null || prices === null ? null : costOf(recorded, model, prices),
    currency: prices?.currency ?? null,
    cut: cut === null ? null : { reason: cut.reason, events: cut.events, before: cut.before },
  }
}

function partRows(
  call: ContextCall,
  { session }: Printing,
  { context: all }: ContextReading,
): readonly PartRow[] {
  const { parts, rest } = partsOf(all, call)
  const rows = parts.map((part): PartRow => ({
    event: part.seq === null ? null : part.seq + 1,
    at: part.seq === null ? null : (session.events[part.seq]?.at ?? null),
    label: part.label,
    tokens: part.tokens,
    added: part.added,
    source: part.source,
    cause:
      part.cause === null
        ? null
        : { event: part.cause.seq === null ? null : part.cause.seq + 1, name: part.cause.name },
  }))
  const other = { event: null, at: null, added: false, source: null, cause: null }
  return [...rows, ...(rest > 0 ? [{ ...other, label: NOT_IN_FILE, tokens: rest }] : [])].toSorted(
    (a, b) => b.tokens - a.tokens,
  )
}
