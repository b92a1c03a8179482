import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { CoachTask } from '../../../engine/schema/coach.ts'
import type { CoachRows } from '../../../wire/internal/coach.ts'
import type { CallContext, Input } from '../../../wire/rpc.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { Front } from '../../threads/main/threads.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'
import { estimateOf, runBatch } from './batch.ts'
import { type LabScope, estimateLab, runLab } from './lab.ts'
import { type CoachService, labelAt } from './service.ts'
import { coachColumns, outputOf } from './shown.ts'

type CoachHandlers = MainHandlersOf<'coach'>
type LabInput = Input<TurnscopeContract, 'coach.labEstimate'>

interface Around {
  readonly sessions: OpenSessions
  readonly coach: CoachService
  /** A thread for work that belongs to no session. */
  readonly front: Front
  /** Folder with the labelled outputs that ship. */
  readonly shipped: string
}

interface Address {
  readonly key: string
  readonly session: number
  /** [V61] The task, if the operator states it. */
  readonly task?: CoachTask | undefined
}

/** Every method about the coach. Texts and patterns are the threads'; keys and calls are here. */
export function createCoachHandlers(around: Around): CoachHandlers {
  const { sessions, coach } = around

  const { rowsOf, preparedOne } = threadsOf(sessions)
  const labelsOf = ({ key }: Address) => coach.labels.of(sessions.get(key).file.name)

  return {
    'coach.session': async (of, context) => {
      const { rows, basis, id } = await rowsOf(of, context)
      coach.logRules(rows, basis)
      const labels = await labelsOf(of)
      const { promptHash } = basis
      const known = await coach.known(
        rows.map(({ content, labelContent, seq }) => {
          const label = labelAt(labels, { session: id, seq, content: labelContent })
          return { content, promptHash, label }
        }),
      )
      return coachColumns(rows, known, basis)
    },
    'coach.output': async (of) => {
      const { prepared, id, ...set } = await preparedOne(of)
      const { content, labelContent, seq } = prepared
      const label = labelAt(await labelsOf(of), { session: id, seq, content: labelContent })
      const [known] = await coach.known([{ content, promptHash: set.basis.promptHash, label }])
      return outputOf(prepared, known, set)
    },
    'coach.previews': async (of, context) => {
      const { rows } = await rowsOf(of, context)
      return { seqs: rows.map(({ seq }) => seq), previews: rows.map(({ preview }) => preview) }
    },
    'coach.log': () => ({ path: coach.logPath }),
    'coach.estimate': async ({ seqs, ...of }, context) =>
      estimateOf(coach, await rowsOf(of, context), seqs),
    'coach.run': async function* ({ seqs, ...of }, context) {
      const set = await rowsOf(of, context)
      const prepare = async (seq: number) => (await preparedOne({ ...of, seq })).prepared
      yield* runBatch(coach, { set, seqs, prepare }, context.signal)
    },
    'coach.label': async ({ label, ...of }) => {
      const { prepared, id } = await preparedOne(of)
      const { seq, labelContent, item } = prepared
      const place = { session: id, seq, content: labelContent }
      const { name } = sessions.get(of.key).file
      if (label === null) await coach.labels.remove(name, place)
      else await coach.labels.set(name, { ...place, ...label, ...item })
      return {}
    },
    ...labHandlers(around),
    ...keyHandlers(coach),
  }
}

/** Requests to the thread of an opened session. */
function threadsOf(sessions: OpenSessions) {
  const rowsOf = (of: Address, { signal }: CallContext): Promise<CoachRows> =>
    sessions.get(of.key).link.call('coach.rows', of, signal)

  async function preparedOne({ seq, ...of }: Address & { readonly seq: number }) {
    const set = await sessions.get(of.key).link.call('coach.prepare', { ...of, seqs: [seq] })
    const [prepared] = set.prepared
    if (prepared === undefined) throw new Error('the thread prepared nothing')
    return { ...set, prepared }
  }

  return { rowsOf, preparedOne }
}

function labHandlers({
  sessions,
  coach,
  front,
  shipped,
}: Around): Pick<CoachHandlers, 'coach.lab' | 'coach.labEstimate'> {
  const scopeOf = ({ draft, text, session }: LabInput): LabScope => ({
    draft,
    text,
    shipped,
    only: session === null ? null : sessions.get(session.key).file.name,
    items: (items, given) => front().call('coach.items', { items: [...items], draft: given }),
  })
  return {
    'coach.labEstimate': (input) => estimateLab(coach, scopeOf(input)),
    'coach.lab': async function* ({ use, ...input }, { signal }) {
      yield* runLab(coach, { ...scopeOf(input), use }, signal)
    },
  }
}

function keyHandlers(
  coach: CoachService,
): Pick<CoachHandlers, 'coach.key' | 'coach.setKey' | 'coach.test'> {
  return {
    'coach.key': async () => coach.keys.state(await coach.settings()),
    'coach.setKey': async ({ key }) => coach.keys.set(await coach.settings(), key),
    'coach.test': async (_, { signal }) => {
      const start = performance.now()
      const failure = await coach.asker.test(signal)
      return { ok: failure === null, failure, elapsedMs: performance.now() - start }
    },
  }
}
