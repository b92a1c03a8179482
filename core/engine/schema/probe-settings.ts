import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Variable } from './trust.ts'

const title = z.string().min(1).max(100)
const url = z.url().max(2000)

/** An embedder that the user added. Only `folder` and `download` run on this machine. */
export const EmbedderConfig = z.discriminatedUnion('kind', [
  /** An ONNX model with its tokenizer, as transformers.js reads them. */
  z.strictObject({
    kind: z.literal('folder'),
    title,
    path: z
      .string()
      .min(1)
      .max(4096)
      .regex(/^[^\0]*$/u),
  }),
  /** A model of the table of known models, fetched when the user started it. */
  z.strictObject({ kind: z.literal('download'), title, model: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('ollama'), title, url, model: z.string().min(1).max(200) }),
  /** `keyEnv` names the environment variable that holds the key; the key itself is stored nowhere. */
  z.strictObject({
    kind: z.literal('openai'),
    title,
    url,
    model: z.string().min(1).max(200),
    keyEnv: Variable.regex(/^[A-Za-z_][A-Za-z0-9_]*$/u).nullable(),
  }),
])
export type EmbedderConfig = Immutable<z.infer<typeof EmbedderConfig>>

/** Name of the embedder that ships with Turnscope. */
export const SHIPPED_EMBEDDER = 'minilm'

/** Ollama's default address, which a form starts with. */
export const OLLAMA_URL = 'http://127.0.0.1:11434'

export const ProbeSettings = z.object({
  /** Name of the embedder in use. */
  embedder: z.string(),
  /** Probe a session when it is opened; longer ones and remote embedders wait for a click. */
  auto: z.boolean(),
  /** [D70] Whether the sample collections are also searched for the operator's own sessions. Default: no. */
  samples: z.boolean().optional(),
  /** Added by the user, by name. */
  embedders: z.record(z.string(), EmbedderConfig),
  /** [L29] Measured on this machine, by name: the threshold, and over how many labelled queries. */
  measured: z.record(z.string(), z.object({ threshold: z.number(), queries: z.int() })),
})
export type ProbeSettings = z.infer<typeof ProbeSettings>
