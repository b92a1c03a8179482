import type { z } from 'zod'
import type { LabelLine, TurnLabel } from '../../../engine/schema/label.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import {
  type ReadLine,
  createLabelFinder,
  HASH_DIGITS,
  hashOf,
  isOutcome,
  isTurnLabel,
} from '../label-file.ts'
import { createLabelStore } from '../label-store.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { labelsOf, meansSession } from './turn-labels.ts'
import type { SessionContract } from '../../../wire/threads.ts'

type SetInput = z.output<SessionContract['labels.set']['in']>

interface Address {
  readonly key: string
  readonly session: number
}

/** Labels of opened sessions by event. */
export function createSessionLabels(
  service: Pick<SessionService, 'session' | 'file'>,
  workspace: string,
) {
  const store = createLabelStore(workspace)
  return async (address: Address): Promise<ReadonlyMap<number, TurnLabel>> => {
    const files = await store.read(service.file(address.key))
    return labelsOf(files, service.session(address), { index: address.session }).bySeq
  }
}

/** Labels of sessions that this thread holds. */
export function createLabelHandlers(
  service: SessionService,
  { root, saves }: Pick<Workspace, 'root' | 'saves'>,
): HandlersOf<SessionContract, 'labels'> {
  const store = createLabelStore(root, { saves })

  /** The requested session, and how a line refers to it. */
  function around(input: { readonly key: string; readonly session: number }) {
    const session = service.session(input)
    const { sessions } = service.opened(input.key).transcript
    const means = meansSession(session, input.session)
    const name = sessions.length > 1 ? { session: session.id } : {}
    return { session, means, name, file: service.file(input.key) }
  }

  return {
    'labels.get': async (input) => {
      const { session, file: home } = around(input)
      const file = await store.target(home)
      const asked = { index: input.session, by: input.by }
      const { bySeq, outcome, lost } = labelsOf(await store.read(home), session, asked)
      const labels = [...bySeq].map(([seq, label]) => ({ seq, label }))
      return { file, labels: labels.toSorted((a, b) => a.seq - b.seq), outcome, lost: [...lost] }
    },
    'labels.set': async (input) => {
      const { session, means, name, file: home } = around(input)
      const value = input.label === null ? null : labelOf(session, input, name)
      const finder = createLabelFinder(session.events, session.texts)
      const isIt = (line: LabelLine): boolean =>
        isTurnLabel(line) && means(line.session) && finder.find(line) === input.seq
      // [L85] A reader who removes a label removes only their own. Without a name, all of them are removed.
      const by = value === null ? input.by : (value.by ?? null)
      const same = (line: LabelLine): boolean =>
        isIt(line) && (by === undefined || (isTurnLabel(line) && (line.by ?? null) === by))
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

/** The first matching line gets the value, and further ones are dropped. If none matches, a line is added. */
function replacing(same: (line: LabelLine) => boolean, value: LabelLine | null) {
  return {
    line: (line: ReadLine, replaced: boolean) => {
      if (line.value === null || !same(line.value)) return 'keep'
      return value === null || replaced ? 'drop' : value
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
