import { z } from 'zod'
import { contract, Progress } from '../../wire/contract.ts'
import { Key } from '../../wire/shapes.ts'
import { ProbeOptions, ProbeCacheState, ProbeResult } from '../../engine/schema/probe.ts'
import { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import type { Contract } from '../../wire/rpc.ts'
import { PersonMessage } from './session-contract.ts'

const settings = { settings: ProbeSettings }

const question = z.object({
  key: Key,
  session: z.int().min(0),
  preset: z.string(),
  options: ProbeOptions.partial(),
  ...settings,
  messages: z.array(PersonMessage),
})

/**
 * [D48] What the main process asks of the probe's thread, which holds embedders, stores and caches.
 * Settings come with every question: the thread keeps none.
 */
export const probeThreadContract = {
  'probe.embedders': { ...contract['probe.embedders'], in: z.object(settings) },
  'probe.measureEmbedder': {
    ...contract['probe.measureEmbedder'],
    in: contract['probe.measureEmbedder'].in.extend(settings),
  },
  'probe.download': {
    kind: 'stream',
    in: contract['probe.download'].in,
    out: z.discriminatedUnion('kind', [Progress, z.object({ kind: z.literal('done') })]),
  },
  'probe.collections': { ...contract['probe.collections'], in: z.object(settings) },
  'probe.index': {
    ...contract['probe.index'],
    in: contract['probe.index'].in.extend(settings),
  },
  'probe.remove': contract['probe.remove'],
  'probe.text': { ...contract['probe.text'], in: contract['probe.text'].in.extend(settings) },
  'probe.session': { ...contract['probe.session'], in: question, packed: true },
  'probe.scores': { ...contract['probe.scores'], in: question, packed: true },
  'probe.turn': {
    kind: 'call',
    in: question.extend({ seq: z.int().min(0) }),
    out: z.object({ result: ProbeResult, cache: ProbeCacheState, field: z.unknown() }),
  },
  /** What the prompts of these messages receive. */
  'probe.blocks': {
    kind: 'call',
    in: question.extend({ seqs: z.array(z.int().min(0)) }),
    out: z.object({ blocks: z.array(z.string().nullable()) }),
  },
  /** [L27] A file was closed. */
  'probe.forget': { kind: 'call', in: z.object({ key: Key }), out: z.object({}) },
  'probe.chunk': contract['probe.chunk'],
  'probe.retrieve': {
    ...contract['probe.retrieve'],
    in: contract['probe.retrieve'].in.extend(settings),
  },
  'probe.curve': {
    ...contract['probe.curve'],
    in: contract['probe.curve'].in.extend(settings),
    packed: true,
  },
  'probe.querySets': contract['probe.querySets'],
  /** Lets go of what is held; the thread ends after it. */
  'probe.close': { kind: 'call', in: z.object({}), out: z.object({}) },
} as const satisfies Contract
export type ProbeThreadContract = typeof probeThreadContract

/** What the thread is started with. */
export const ProbeThreadData = z.object({
  workspace: z.string(),
  shipped: z.string(),
  stateDir: z.string(),
})
export type ProbeThreadData = z.infer<typeof ProbeThreadData>
