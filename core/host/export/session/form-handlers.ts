import type { z } from 'zod'
import { redactText } from '../../../engine/redact/redact.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { createBreath, reporting, throttled } from '../../platform/threads/yielding.ts'
import { otherReplay } from '../../compare/session/compare.ts'
import { chosenOf } from './export-handlers.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { profileOf, readContext } from '../../context/read-context.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { type TurnParts, openTurnParts } from '../../turns/session/turn-parts.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { FORM_TEXTS, type Played } from './written-forms.ts'

type Input = z.output<SessionContract['forms.write']['in']>
type Step = Immutable<z.input<SessionContract['forms.write']['out']>>

/** Characters of one chunk on its way to a window. */
const CHUNK = 256 * 1024

/**
 * [U180] Sessions of an opened file as data for others. The probe runs in another thread and would delay the export,
 * so the lines are those of `export --jsonl --no-probe`.
 */
export function createFormHandlers(
  service: SessionService,
  workspace: Workspace,
  limit: TimeLimit,
): HandlersOf<SessionContract, 'forms'> {
  const sources: Sources = {
    service,
    workspace,
    parts: () => openTurnParts(workspace, limit),
  }
  return { 'forms.write': (input, { signal }) => write(sources, input, signal) }
}

interface Sources {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly parts: () => Promise<TurnParts>
}

async function* write(
  { service, workspace, parts }: Sources,
  input: Input,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const { form, turns, kinds, config, version } = input
  if (form === 'markdown' && turns === null && input.compare === null)
    throw refusal({
      what: 'Markdown is of some turns or of a comparison',
      where: 'Export',
      do: 'Select a turn, or compare with another preset',
    })
  let redacted = 0
  const onSecret = () => {
    redacted += 1
  }
  const redaction = { kinds, keep: new Set(input.keep), onSecret }
  const played = yield* reporting<Step, readonly Played[]>((report) =>
    playAll({ service, workspace }, input, { signal, report }),
  )
  const total = textsOf(input, played)
  const writing = FORM_TEXTS[form]({
    played,
    turns,
    version,
    sides: [config.preset, input.against],
    trace: (replay, turn) => service.trace(replay, turn),
    parts: async ({ path, session, replay }) =>
      (await parts()).open({ file: path, session, replay, probing: null }),
    redact: (text) => redactText(text, redaction),
  })
  let bytes = 0
  for await (const { text, done } of inPieces(writing, total, signal)) {
    bytes += Buffer.byteLength(text)
    if (text !== '') yield { kind: 'chunk', text }
    yield { kind: 'progress', phase: 'writing', done, total }
  }
  yield { kind: 'written', bytes, redacted }
}

/**
 * Joins texts to chunks, and occasionally yields a shorter chunk, so that the progress also shows work without texts.
 */
async function* inPieces(
  texts: Iterable<string> | AsyncIterable<string>,
  total: number,
  signal: AbortSignal,
) {
  const breath = createBreath(signal)
  const now = { parts: [] as string[], chars: 0, isDue: false }
  const tell = throttled(() => {
    now.isDue = true
  })
  const take = () => {
    const text = now.parts.join('')
    Object.assign(now, { parts: [], chars: 0, isDue: false })
    return text
  }
  let done = 0
  for await (const text of texts) {
    done = Math.min(done + 1, total)
    now.parts.push(text)
    now.chars += text.length
    tell(done, Infinity)
    if (now.isDue || now.chars >= CHUNK) yield { text: take(), done }
    await breath()
  }
  signal.throwIfAborted()
  yield { text: take(), done }
}

/** Total for the progress of writing a form: events for spans, else turns. */
function textsOf({ form }: Input, played: readonly Played[]): number {
  const counts = played.map(({ session, columns }) =>
    form === 'otel' ? session.events.length : columns.turns,
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

interface Playing {
  readonly signal: AbortSignal
  readonly report: (step: Step) => void
}

async function playAll(
  { service, workspace }: Pick<Sources, 'service' | 'workspace'>,
  { key, sessions, form, config, compare }: Input,
  { signal, report }: Playing,
): Promise<readonly Played[]> {
  const { chosen } = chosenOf(service, { key, sessions })
  const file = service.file(key).name
  const onProgress = (done: number, total: number) =>
    report({ kind: 'progress', phase: 'replaying', done, total })
  const waiting = { signal, onProgress }
  const { path, transcript } = service.opened(key)
  const profile = await profileOf(workspace, config.profile)
  const played: Played[] = []
  for (const { index, session } of chosen) {
    signal.throwIfAborted()
    const address = { key, session: index }
    const replay = await service.replay(address, config, waiting)
    const asked = compare && { address, base: replay, compare }
    const other = asked && (await otherReplay(service, asked, waiting)).replay
    const context = form === 'jsonl' ? await readContext(session, transcript, profile) : null
    played.push({ file, path, session, replay, columns: replay.columns, other, context })
  }
  return played
}
