import type { z } from 'zod'
import type { LabelLine, SessionOutcome, TurnLabel } from '../../engine/schema/label.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { HandlersOf } from '../../wire/rpc.ts'
import {
  type ReadLine,
  createLabelFinder,
  HASH_DIGITS,
  hashOf,
  isOutcome,
  isTurnLabel,
} from '../files/label-file.ts'
import { createLabelStore } from '../files/label-store.ts'
import { refusal } from '../shared/refusal.ts'
import type { SessionService } from './service.ts'
import type { SessionContract } from '../../wire/threads.ts'

type SetInput = z.output<SessionContract['labels.set']['in']>

/** Labels of a session by event, found as `labels.get` finds them. */
export function createSessionLabels(service: SessionService, workspace: string) {
  const { 'labels.get': get } = createLabelHandlers(service, workspace)
  const context = { signal: new AbortController().signal }
  return async (address: Address): Promise<ReadonlyMap<number, TurnLabel>> => {
    const { labels } = await get(address, context)
    return new Map(labels.map(({ seq, label }) => [seq, label]))
  }
}

interface Address {
  readonly key: string
  readonly session: number
}

/** Labels of sessions that this thread holds. */
export function createLabelHandlers(
  service: SessionService,
  workspace: string,
): HandlersOf<SessionContract, 'labels'> {
  const store = createLabelStore(workspace)

  /** The session asked for, and how a line says that it means this one. */
  function around(input: { readonly key: string; readonly session: number }) {
    const session = service.session(input)
    const { sessions } = service.opened(input.key).transcript
    // [T1] Without a name a line means the first session of the file.
    const means = (id: string | undefined) =>
      id === undefined ? input.session === 0 : id === session.id
    const name = sessions.length > 1 ? { session: session.id } : {}
    return { session, means, name, file: service.file(input.key) }
  }

  return {
    'labels.get': async (input) => {
      const { session, means, file: home } = around(input)
      const file = await store.target(home)
      const files = await store.read(home)
      const finder = createLabelFinder(session.events, session.texts)
      const labels = new Map<number, TurnLabel>()
      const lost: Array<{ line: number; what: string }> = []
      let outcome: SessionOutcome | null = null
      for (const { line, value, problem } of files.flatMap(({ lines }) => lines)) {
        if (problem !== null) lost.push({ line, what: problem })
        if (value === null) continue
        if (isOutcome(value) && means(value.session)) outcome = value
        if (!isTurnLabel(value) || !means(value.session)) continue
        const seq = finder.find(value)
        if (seq === null) lost.push({ line, what: LOST })
        else labels.set(seq, value)
      }
      const found = [...labels].map(([seq, label]) => ({ seq, label }))
      return { file, labels: found.toSorted((a, b) => a.seq - b.seq), outcome, lost }
    },
    'labels.set': async (input) => {
      const { session, means, name, file: home } = around(input)
      const value = input.label === null ? null : labelOf(session, input, name)
      const finder = createLabelFinder(session.events, session.texts)
      const isIt = (line: LabelLine): boolean =>
        isTurnLabel(line) && means(line.session) && finder.find(line) === input.seq
      const same = (line: LabelLine): boolean =>
        isIt(line) && (value === null || (isTurnLabel(line) && line.by === value.by))
      const file = await store.change(home, replacing(same, value))
      return { file }
    },
    'labels.outcome': async (input) => {
      const { means, name, file: home } = around(input)
      const value = input.outcome === null ? null : { ...input.outcome, ...name }
      const same = (line: LabelLine): boolean => isOutcome(line) && means(line.session)
      return { file: await store.change(home, replacing(same, value)) }
    },
  }
}

export const LOST = 'no event has this text any more, or more than one has'

/** The first line that is meant becomes the value, further ones go; where there is none it is added. */
function replacing(same: (line: LabelLine) => boolean, value: LabelLine | null) {
  let first = true
  return {
    line: (line: ReadLine) => {
      if (line.value === null || !same(line.value)) return 'keep'
      if (value === null || !first) return 'drop'
      first = false
      return value
    },
    end: (replaced: boolean) => (value === null || replaced ? [] : [value]),
  }
}

function labelOf(
  session: Session,
  { seq, label }: SetInput,
  name: { readonly session?: string },
): TurnLabel {
  const event = session.events[seq]
  if (event === undefined || label === null) {
    throw refusal({ what: 'there is no such event', where: String(seq), do: 'Open it again' })
  }
  const sha256 = hashOf(textOf(event, session.texts)).slice(0, HASH_DIGITS)
  return { type: 'turn', ...name, event: seq, sha256, ...label }
}
