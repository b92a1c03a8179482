import { SCRATCH_EVENT, type ScratchKind } from '../../../engine/schema/scratch.ts'
import { EventLine, SessionHeader } from '../../../engine/session-file.ts'
import { jsonAs } from '../../platform/json.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'
import type { ProbePart } from '../../probe/main/probe-handlers.ts'
import { MOST_RECORDED, type PadStart, type Pads } from '../../sessions/main/pads.ts'

interface Around {
  readonly sessions: OpenSessions
  readonly pads: Pads
  readonly probe: ProbePart['draft']
}

interface RecordedEvent {
  readonly key: string
  readonly session: number
  readonly seq: number
  readonly turn: number | null
}

/** Scratch sessions. They are stored here; threads compute their decisions. */
export function createScratchHandlers({
  sessions,
  pads,
  probe,
}: Around): MainHandlersOf<'scratch'> {
  // Serialized, so that the later of two writes wins on disk.
  const inTurn = createQueue()

  return {
    'scratch.begin': async ({ from }, { signal }) => {
      const start = from === null ? EMPTY : await branchOf(sessions, from, signal)
      return { id: await pads.begin(start) }
    },
    'scratch.read': ({ id }) => pads.read(id),
    'scratch.write': ({ id, key, ...change }, { signal }) =>
      inTurn(async () => {
        await pads.write(id, change)
        return sessions.get(key).link.call('scratch.again', { key }, signal)
      }),
    'scratch.probe': (input, context) => probe(input, context),
    'scratch.keep': async ({ label, seq, ...input }, { signal }) => {
      const { link } = sessions.get(input.key)
      const { path } = await link.call('scratch.save', input, signal)
      if (label === null) return { path, labels: null }
      return { path, labels: await labelled(sessions, { path, seq, label }, signal) }
    },
  }
}

const EMPTY: PadStart = { title: 'Scratch session', from: null, isSample: true, recorded: null }

/** [U162] The recorded session with the event that is replaced. */
async function branchOf(
  sessions: OpenSessions,
  { key, session, seq, turn }: RecordedEvent,
  signal: AbortSignal,
): Promise<PadStart> {
  const { link, isSample, file } = sessions.get(key)
  const asked = { key, sessions: [session], kinds: [], keep: [] }
  let text = ''
  for await (const step of link.stream('export.write', asked, signal)) {
    if (step.kind === 'chunk') text += step.text
    if (text.length > MOST_RECORDED) throw tooLong(file.name)
  }
  const recorded = text.split('\n').slice(0, -1)
  const event = jsonAs(EventLine, recorded[seq + 1] ?? '')
  const kind = event && kindOf(event.kind)
  if (!kind) {
    const what = `event ${seq + 1} was written by no person, agent or tool`
    throw refusal({ what, where: file.name, do: 'Choose a message, an output or a result' })
  }
  const name = jsonAs(SessionHeader, recorded[0] ?? '')?.title ?? file.name
  const place = turn === null ? `event ${seq + 1}` : `turn ${turn}`
  const from = { seq, turn, kind, text: event.text, rest: recorded.length - seq - 2 }
  return { title: `Branch at ${place}: ${name}`, from, isSample, recorded }
}

function kindOf(event: string): ScratchKind | null {
  const found = Object.entries(SCRATCH_EVENT).find(([, kind]) => kind === event)
  // The keys of the table are the kinds.
  return found === undefined ? null : (found[0] as ScratchKind)
}

function tooLong(where: string) {
  const what = `this session has more than ${MOST_RECORDED / 1024 ** 2} million characters`
  return refusal({ what, where, do: 'Branch a shorter one: convert takes a part of it' })
}

type Label = Parameters<MainHandlersOf<'scratch'>['scratch.keep']>[0]['label']

/** [U164] The label goes through the store of labels, as if the session had been opened by hand. */
async function labelled(
  sessions: OpenSessions,
  { path, seq, label }: { readonly path: string; readonly seq: number; readonly label: Label },
  signal: AbortSignal,
): Promise<string> {
  let key = ''
  for await (const step of sessions.open({ kind: 'path', path }, signal)) {
    if (step.kind === 'opened') key = step.key
  }
  try {
    const { link } = sessions.get(key)
    return (await link.call('labels.set', { key, session: 0, seq, label }, signal)).file
  } finally {
    await sessions.close(key)
  }
}
