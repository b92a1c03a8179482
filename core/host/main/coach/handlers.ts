import { join } from 'node:path'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { CallContext, Handlers, Input } from '../../../wire/rpc.ts'
import { writeFileAtomic } from '../../files/atomic-file.ts'
import { type OpenSessions, explain } from '../open-sessions.ts'
import type { Lease } from '../worker-pool.ts'
import { estimateOf } from './estimate.ts'
import { type LabScope, estimateLab, runLab } from './lab.ts'
import { COACH_FILES } from '../../session/coach/prompt-files.ts'
import { runBatch } from './run.ts'
import { type CoachService, labelAt } from './service.ts'
import { columnsOf, outputOf } from './shown.ts'
import type { CoachRows } from '../../session/coach/contract.ts'

type CoachHandlers = Pick<
  Handlers<TurnscopeContract>,
  Extract<keyof TurnscopeContract, `coach.${string}`>
>

type Keys = Pick<CoachHandlers, 'coach.key' | 'coach.setKey' | 'coach.test'>
type Files = Pick<CoachHandlers, 'coach.files' | 'coach.save' | 'coach.lab' | 'coach.labEstimate'>
type LabInput = Input<TurnscopeContract, 'coach.labEstimate'>

interface Around {
  readonly sessions: OpenSessions
  readonly coach: CoachService
  /** A worker thread for what is no session's. */
  readonly ask: <T>(question: (client: Lease['client']) => Promise<T>) => Promise<T>
  readonly workspace: string
  /** Folder with the labelled outputs that ship. */
  readonly shipped: string
}

interface Address {
  readonly key: string
  readonly session: number
}

/** Every method about the coach. Texts and patterns are the worker's; keys and calls are here. */
export function createCoachHandlers(around: Around): CoachHandlers {
  const { sessions, coach } = around

  const { rowsOf, preparedOne } = workersOf(sessions)
  const labelsOf = ({ key }: Address) => coach.labels.of(sessions.get(key).name)

  return {
    'coach.session': async (of, context) => {
      const { rows, basis, id } = await rowsOf(of, context)
      coach.logRules(rows, basis)
      const labels = await labelsOf(of)
      const { promptHash } = basis
      const known = await Promise.all(
        rows.map(({ content, seq }) =>
          coach.known({ content, promptHash }, labelAt(labels, { session: id, seq, content })),
        ),
      )
      return columnsOf(rows, known, basis)
    },
    'coach.output': async (of) => {
      const { prepared, basis, id } = await preparedOne(of)
      const { content, seq } = prepared
      const label = labelAt(await labelsOf(of), { session: id, seq, content })
      const place = { content, promptHash: basis.promptHash }
      return outputOf(prepared, await coach.known(place, label), basis)
    },
    'coach.estimate': async ({ seqs, ...of }, context) =>
      estimateOf(coach, await rowsOf(of, context), seqs),
    'coach.run': async function* ({ seqs, ...of }, context) {
      const set = await rowsOf(of, context)
      const prepare = async (seq: number) => (await preparedOne({ ...of, seq })).prepared
      yield* runBatch(coach, { set, seqs, prepare }, context.signal)
    },
    'coach.label': async ({ label, ...of }) => {
      const { prepared, id } = await preparedOne(of)
      const { seq, content, item } = prepared
      const place = { session: id, seq, content }
      const { name } = sessions.get(of.key)
      if (label === null) await coach.labels.remove(name, place)
      else await coach.labels.set(name, { ...place, ...label, ...item })
      return {}
    },
    ...fileHandlers(around),
    ...keyHandlers(coach),
  }
}

/** What the worker of an opened session knows of it. */
function workersOf(sessions: OpenSessions) {
  async function inWorker<T>(
    { key }: Address,
    question: (client: Lease['client']) => Promise<T>,
  ): Promise<T> {
    const session = sessions.get(key)
    try {
      return await question(session.lease.client)
    } catch (error) {
      throw explain(error, session)
    }
  }

  const rowsOf = ({ key, session }: Address, { signal }: CallContext): Promise<CoachRows> =>
    inWorker({ key, session }, (client) => client.call('coach.rows', { key, session }, signal))

  async function preparedOne(of: Address & { readonly seq: number }) {
    const { key, session, seq } = of
    const set = await inWorker(of, (client) =>
      client.call('coach.prepare', { key, session, seqs: [seq] }),
    )
    const [prepared] = set.prepared
    if (prepared === undefined) throw new Error('the worker prepared nothing')
    return { ...set, prepared }
  }

  return { rowsOf, preparedOne }
}

function fileHandlers({ sessions, coach, ask, workspace, shipped }: Around): Files {
  const scopeOf = ({ draft, text, session }: LabInput): LabScope => ({
    ...{ draft, text, shipped },
    only: session === null ? null : sessions.get(session.key).name,
    items: (items, given) =>
      ask((client) => client.call('coach.items', { items: [...items], draft: given })),
  })
  return {
    'coach.files': () => ask((client) => client.call('coach.check', { draft: NOTHING })),
    'coach.save': async (draft) => {
      // Refused as a whole when the rules cannot be used.
      const { promptHash } = await ask((client) => client.call('coach.check', { draft }))
      for (const name of ['system', 'rules'] as const) {
        const text = draft[name]
        if (text !== null) await writeFileAtomic(join(workspace, COACH_FILES[name]), text)
      }
      return { promptHash }
    },
    'coach.labEstimate': (input) => estimateLab(coach, scopeOf(input)),
    'coach.lab': async function* ({ use, ...input }, { signal }) {
      yield* runLab(coach, { ...scopeOf(input), use }, signal)
    },
  }
}

function keyHandlers(coach: CoachService): Keys {
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

const NOTHING = { system: null, rules: null } as const
