import { z } from 'zod'
import { call, stream } from '../method.ts'
import { probeContract } from '../probe.ts'
import { Key, steps, variant, nothing, session } from '../shapes.ts'
import { ProbeCacheState, ProbeOptions, ProbeResult } from '../../engine/schema/probe.ts'
import { FlipCause } from '../../engine/schema/compare.ts'
import { HitRate } from '../../engine/schema/hit-rate.ts'
import { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import { Vectors } from './lab.ts'
import { PersonMessage } from './session.ts'

/** [D48] Settings come with every question: the probe's thread keeps none. */
export const WithSettings = z.object({ settings: ProbeSettings })

/** A question about a session, with its messages. */
const Question = WithSettings.extend({
  ...session,
  preset: z.string(),
  options: ProbeOptions.partial(),
  messages: z.array(PersonMessage),
  /** [D70] Whether the sample collections are asked. */
  samples: z.boolean(),
})

/** Calls from the main process to the probe thread, which holds embedders, stores and caches. */
export const probeRows = {
  'probe.measureEmbedder': stream(
    'probe',
    probeContract['probe.measureEmbedder'].in.extend(WithSettings.shape),
    probeContract['probe.measureEmbedder'].out,
  ),
  'probe.download': stream('probe', probeContract['probe.download'].in, steps(variant('done', {}))),
  'probe.session': { ...probeContract['probe.session'], at: 'probe', in: Question },
  'probe.scores': { ...probeContract['probe.scores'], at: 'probe', in: Question },
  'probe.turn': call('probe', Question.extend({ seq: z.int().min(0) }), {
    result: ProbeResult,
    cache: ProbeCacheState,
    field: z.unknown(),
  }),
  /** [D71] For a session that is not open. Nothing about it is stored. */
  'probe.rate': call('probe', Question.omit({ key: true, session: true, options: true }), {
    rate: HitRate,
  }),
  /** The probe text in the prompts of these messages. */
  'probe.blocks': call('probe', Question.extend({ seqs: z.array(z.int().min(0)) }), {
    blocks: z.array(z.string().nullable()),
  }),
  /** [T83] Which options of the probe change what messages of a session are answered. */
  'probe.causes': stream(
    'probe',
    Question.extend({ there: ProbeOptions }),
    steps(variant('caused', { causes: z.array(FlipCause), flips: z.int() })),
  ),
  /** [L80] Vectors of texts by the shipped sentence model, independent of the embedder in use. */
  'probe.embed': call('probe', WithSettings.extend({ texts: z.array(z.string()) }), Vectors),
  /** [L27] A file was closed. */
  'probe.forget': call('probe', { key: Key }, nothing),
  /** Releases all resources; the thread then exits. */
  'probe.close': call('probe', nothing, nothing),
} as const
