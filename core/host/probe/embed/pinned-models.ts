import { z } from 'zod'
import pinned from './pinned-models.json' with { type: 'json' }

const ModelFile = z.strictObject({
  path: z.string(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
})
/** A file of a model at its revision. */
export type ModelFile = Readonly<z.infer<typeof ModelFile>>

const PinnedModel = z.strictObject({
  /** As the hub calls it. */
  model: z.string(),
  /** Commit, because its content cannot change. */
  revision: z.string(),
  title: z.string(),
  licence: z.string(),
  files: z.array(ModelFile).readonly(),
  /** Facts that the hub's files lack. Written next to them, as sentence-transformers does. */
  pooling: z.enum(['mean', 'first']),
  limit: z.int(),
})
/** A model that can be fetched. */
export type PinnedModel = Readonly<z.infer<typeof PinnedModel>>

/**
 * [D25] Sentence models of the public hub, pinned by commit. Sizes and SHA-256 are those that several independent
 * public projects pin for these commits; they were not downloaded for this list. A file that differs is refused,
 * regardless of which side is wrong. None has a measured threshold: measure it (probe lab).
 */
export const PINNED_MODELS: readonly PinnedModel[] = z.array(PinnedModel).parse(pinned.models)
