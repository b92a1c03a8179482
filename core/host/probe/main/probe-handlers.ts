import type { ProbeColumns, TurnscopeContract } from '../../../wire/contract.ts'
import type { FoundPersona, Personas, ProbeBlocks } from '../../../wire/internal/session.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { CallContext, Input, Output } from '../../../wire/rpc.ts'
import type { ProbeThreadContract } from '../../../wire/threads.ts'
import { type CauseGroup, configOf } from '../../../engine/schema/compare.ts'
import type { ProbeOptions, ProbeResult } from '../../../engine/schema/probe.ts'
import { queryInContext } from '../../../engine/probe/query-context.ts'
import {
  type EmbedderConfig,
  type ProbeSettings,
  SHIPPED_EMBEDDER,
} from '../../../engine/schema/probe-settings.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { LabPart } from '../../corpus/main/lab-handlers.ts'
import { probeCorpus } from './probe-corpus.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'
import type { ProbeThread } from '../../threads/main/threads.ts'
import type { StateStore } from '../../settings/main/state-store.ts'

interface Around {
  readonly sessions: OpenSessions
  readonly thread: ProbeThread
  readonly state: StateStore
  readonly lab: Pick<LabPart, 'link' | 'isSample'>
}

type CompareInput = Omit<Input<TurnscopeContract, 'session.compare'>, 'probe'>
type PromptInput = Omit<Input<TurnscopeContract, 'session.prompt'>, 'probe'>

export interface ProbePart {
  readonly handlers: MainHandlersOf<'probe'>
  /** The probe's findings for the prompt of a message. */
  readonly blocks: (input: PromptInput, context: CallContext) => Promise<ProbeBlocks>
  /** [F76] The persona in force after each message of a session. */
  readonly personas: (
    input: Omit<SessionInput, 'options'>,
    context: CallContext,
  ) => Promise<FoundPersona[]>
  /** [L51] The persona of each message under both sides of a comparison. */
  readonly comparedPersonas: (input: CompareInput, context: CallContext) => Promise<Personas>
  /** [T83] Which options of the probe change what messages are answered; progress, then the group. */
  readonly causes: (
    input: CompareInput,
    context: CallContext,
  ) => AsyncGenerator<Extract<CauseStep, { kind: 'progress' }>, CauseGroup>
  /** [U160] Findings for a text after `at` events, with the cache and persona of the messages before. */
  readonly draft: (input: DraftInput, context: CallContext) => Promise<Immutable<ProbeResult>>
}

type CauseStep = Output<TurnscopeContract, 'session.causes'>

/** A text at a place of a session that has no such message. */
type DraftInput = Input<TurnscopeContract, 'scratch.probe'>

type SessionInput = Pick<
  Input<TurnscopeContract, 'probe.session'>,
  'key' | 'session' | 'config' | 'options'
>
type Question = Input<ProbeThreadContract, 'probe.session'>

/** A question about a session, with the user messages up to an event (null = all). */
type QuestionOf = (
  input: SessionInput,
  to: number | null,
  context: CallContext,
) => Promise<Question>

/** The probe's part of the main process: settings are here, texts with the sessions' threads. */
export function createProbePart({ sessions, thread, state, lab }: Around): ProbePart {
  const questionOf: QuestionOf = async ({ key, session, config, options }, to, { signal }) => {
    const messages: Question['messages'] = []
    const asked = { key, session, to: to === null ? null : Math.max(0, to) }
    for await (const batch of sessions.get(key).link.stream('probe.messages', asked, signal)) {
      messages.push(...batch.messages)
    }
    signal.throwIfAborted()
    const { probe: settings } = await state.settings()
    const samples = settings.samples === true || sessions.get(key).isSample
    return { key, session, options, settings, preset: config.preset, messages, samples }
  }

  return {
    blocks: (input, context) => blocksFor(thread, questionOf, input, context),
    personas: (input, context) =>
      personasUnder(thread, questionOf, { ...input, options: {} }, context),
    ...comparing({ sessions, thread, questionOf }),
    draft: async ({ at, text, ...of }, context) => {
      const question = await questionOf({ ...of, options: {} }, at - 1, context)
      const messages = [...(at === 0 ? [] : question.messages), { seq: at, text }]
      const asked = { ...question, messages, seq: at }
      return (await thread.link().call('probe.turn', asked, context.signal)).result
    },
    handlers: {
      ...embedderHandlers(thread, state),
      'probe.corpus': (input, { signal }) => probeCorpus({ lab, thread, state }, input, signal),
      'probe.session': async (input, context) =>
        thread.link().forward('probe.session', await questionOf(input, null, context)),
      'probe.scores': async (input, context) =>
        thread.link().forward('probe.scores', await questionOf(input, null, context)),
      'probe.turn': async ({ seq, ...input }, context) => {
        const { signal } = context
        const question = await questionOf(input, seq, context)
        const message = messageOf(question, seq)
        const { key, session, preset } = question
        const at = { key, session, preset, seq: message.seq }
        const { classification } = await sessions.get(key).link.call('probe.query', at, signal)
        const asked = { ...question, seq: message.seq }
        const answer = await thread.link().call('probe.turn', asked, signal)
        const query = queryInContext(classification, answer.result)
        return { ...answer, query, text: message.text }
      },
    },
  }
}

interface Comparing {
  readonly sessions: OpenSessions
  readonly thread: ProbeThread
  readonly questionOf: QuestionOf
}

/** Probe results of both sides of a comparison, each by its own options, including those of a revision. */
function comparing({
  sessions,
  thread,
  questionOf,
}: Comparing): Pick<ProbePart, 'comparedPersonas' | 'causes'> {
  const optionsOf = ({ key, session, config, compare }: CompareInput, { signal }: CallContext) =>
    sessions.get(key).link.call('session.probeOptions', { key, session, config, compare }, signal)

  return {
    comparedPersonas: async (input, context) => {
      const { config, key, session } = input
      const own = configOf(config)
      if (own === null) return { here: [], there: null }
      const { here, there } = await optionsOf(input, context)
      const under = async (options: ProbeOptions) => {
        const asked = { key, session, config: own, options: onWire(options) }
        const rows = await personasUnder(thread, questionOf, asked, context)
        return rows.map(({ seq, persona }): [number, string] => [seq, persona ?? 'none'])
      }
      return { here: await under(here), there: there && (await under(there)) }
    },
    causes: async function* (input, context) {
      const { config, key, session } = input
      const own = configOf(config)
      const { here, there } = await optionsOf(input, context)
      if (own === null || there === null) return { group: 'probe', causes: [], flips: 0, why: null }
      const of = { key, session, config: own, options: onWire(here) }
      const asked = { ...(await questionOf(of, null, context)), there: onWire(there) }
      for await (const step of thread.link().stream('probe.causes', asked, context.signal)) {
        if (step.kind === 'progress') yield step
        else return { group: 'probe', causes: step.causes, flips: step.flips, why: null }
      }
      throw new DOMException('cancelled', 'AbortError')
    },
  }
}

/** Lists of the wire may be written to. */
function onWire(options: ProbeOptions) {
  return { ...options, reflexCommands: [...options.reflexCommands] }
}

async function personasUnder(
  thread: ProbeThread,
  questionOf: QuestionOf,
  { key, session, config, options }: SessionInput,
  context: CallContext,
): Promise<FoundPersona[]> {
  const question = await questionOf({ key, session, config, options }, null, context)
  let found: FoundPersona[] = []
  for await (const step of thread.link().stream('probe.session', question, context.signal)) {
    if (step.kind === 'probed') found = personasIn(step.columns)
  }
  return found
}

function personasIn({ seq, persona, personas }: Immutable<ProbeColumns>): FoundPersona[] {
  return seq.map((each, row) => ({ seq: each, persona: personas[persona[row] ?? -1] ?? null }))
}

async function blocksFor(
  thread: ProbeThread,
  questionOf: QuestionOf,
  { seq, config, compare, ...address }: PromptInput,
  context: CallContext,
): Promise<ProbeBlocks> {
  const question = await questionOf({ ...address, config, options: {} }, seq, context)
  const message = messageOf(question, seq)
  const previous = question.messages.at(-2)
  const blocksOf = async (preset: string, seqs: number[]) => {
    const asked = { ...question, preset, seqs }
    return (await thread.link().call('probe.blocks', asked, context.signal)).blocks
  }
  const seqs = [message.seq, ...(previous === undefined ? [] : [previous.seq])]
  const [own = null, before = null] = await blocksOf(config.preset, seqs)
  if (compare === null) return { message: own, previous: before, compare: null }
  const [compared = null] = await blocksOf(compare.preset, [message.seq])
  return { message: own, previous: before, compare: compared }
}

/** The message that is asked about: the last one. */
function messageOf({ messages }: Question, seq: number): Question['messages'][number] {
  const message = messages.at(-1)
  if (message !== undefined) return message
  throw refusal({
    what: `event ${seq} is no message of a person`,
    where: 'this session',
    do: 'Choose another event',
  })
}

type EmbedderHandlers = Omit<
  ProbePart['handlers'],
  'probe.session' | 'probe.scores' | 'probe.turn' | 'probe.corpus'
>

/** [D41] Which embedders there are, and which one is in use: a part of the settings. */
function embedderHandlers(thread: ProbeThread, state: StateStore): EmbedderHandlers {
  const settingsNow = async (): Promise<ProbeSettings> => (await state.settings()).probe
  const list = async ({ signal }: CallContext) =>
    thread.link().call('probe.embedders', { settings: await settingsNow() }, signal)

  /** A model that was fetched is an embedder from then on. */
  async function nameOf(model: string): Promise<string> {
    const { embedders } = await settingsNow()
    const known = Object.entries(embedders).find(
      ([, config]) => config.kind === 'download' && config.model === model,
    )
    const title = model.split('/').at(-1) ?? model
    return known?.[0] ?? (await addTo(state, { kind: 'download', title, model }))
  }

  return {
    'probe.setEmbedder': async ({ name }, context) => {
      const { embedders } = await list(context)
      if (!embedders.some((each) => each.name === name)) throw unknown(name)
      const { embedder } = await settingsNow()
      await state.change({ probe: { embedder: name } })
      const { current } = await list(context)
      if (current === name) return {}
      await state.change({ probe: { embedder } })
      const what = `the collections of this workspace are made for ${current}`
      const where = 'profiles/collections.yaml'
      throw refusal({ what, where, do: 'Take out its line "embedder" first' })
    },
    'probe.addEmbedder': async ({ config }) => ({ name: await addTo(state, config) }),
    'probe.removeEmbedder': async ({ name }) => {
      const { embedders } = await settingsNow()
      if (!Object.hasOwn(embedders, name)) throw unknown(name)
      await state.changeProbe((probe) => ({
        ...probe,
        embedders: without(probe.embedders, name),
        measured: without(probe.measured, name),
        embedder: probe.embedder === name ? SHIPPED_EMBEDDER : probe.embedder,
      }))
      return {}
    },
    'probe.measureEmbedder': async function* ({ name }, { signal }) {
      const input = { name, settings: await settingsNow() }
      for await (const step of thread.link().stream('probe.measureEmbedder', input, signal)) {
        if (step.kind === 'measured') {
          const { threshold, queries } = step
          await state.changeProbe((probe) => ({
            ...probe,
            measured: { ...probe.measured, [name]: { threshold, queries } },
          }))
        }
        yield step
      }
    },
    'probe.download': async function* ({ model }, { signal }) {
      for await (const step of thread.link().stream('probe.download', { model }, signal)) {
        if (step.kind === 'progress') yield step
        else yield { kind: 'downloaded', name: await nameOf(model) }
      }
    },
  }
}

function without<T>(entries: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== name))
}

/** Keeps an embedder in the settings; its name there. */
async function addTo(state: StateStore, config: EmbedderConfig): Promise<string> {
  let name = ''
  await state.changeProbe((probe) => {
    name = freeName(config.title, probe)
    return { ...probe, embedders: { ...probe.embedders, [name]: config } }
  })
  return name
}

/** A name for settings and choices, made from the title. */
function freeName(title: string, { embedders }: ProbeSettings): string {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
  const stem = plain === '' ? 'embedder' : plain.slice(0, 80)
  const isTaken = (name: string): boolean =>
    name === SHIPPED_EMBEDDER || Object.hasOwn(embedders, name)
  if (!isTaken(stem)) return stem
  let number = 2
  while (isTaken(`${stem}-${number}`)) number += 1
  return `${stem}-${number}`
}

function unknown(name: string) {
  return refusal({
    what: `there is no embedder "${name}"`,
    where: 'settings',
    do: 'Choose one of the list',
  })
}
