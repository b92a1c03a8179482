import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/**
 * Size limits for an item's values. All code that names an item enforces them, so that every list of items can be
 * reported.
 */
export const Address = z.string().max(4200)
export const Variable = z.string().max(400)

/** [V31] One thing that trust in a workspace turns on. Two items are the same where all fields are equal. */
export const TrustItem = z.strictObject({
  kind: z.enum(['store', 'embedder', 'coach', 'git']),
  /** The driver, protocol or provider: `qdrant`, `ollama`, `anthropic`, `git`. */
  by: z.string().max(100),
  /** An address, a folder or a model; empty if a variable holds the address. */
  address: Address,
  /** Environment variables that may be read for it, and sent to the address. */
  variables: z.array(Variable).max(10),
})
export type TrustItem = Immutable<z.infer<typeof TrustItem>>

/** An item that a workspace names now. */
export const TrustUse = TrustItem.extend({
  /** Names of the users of this item: collections, embedders, or a model. */
  users: z.array(z.string()),
  granted: z.boolean(),
})
export type TrustUse = Immutable<z.infer<typeof TrustUse>>

/**
 * `own`: belongs to Turnscope itself, so no question is asked. `plain`: names nothing that needs trust. `trusted`:
 * everything it names was allowed. `restricted`: something is disabled until the operator allows it.
 */
export const TrustStanding = z.enum(['own', 'plain', 'trusted', 'restricted'])
export type TrustStanding = z.infer<typeof TrustStanding>

export const TrustState = z.object({
  standing: TrustStanding,
  /** Real path of the workspace. */
  path: z.string(),
  items: z.array(TrustUse),
  /** Of `items`: an answer to the question names the list that was read. */
  digest: z.string(),
  /** Whether something was allowed before; the question is then only about new items. */
  known: z.boolean(),
  /** Allowed by `--trust` for this run, and kept nowhere. */
  thisRun: z.boolean(),
  /** The data that could not be read, in a sentence: the trust file, or the items that the workspace names. */
  problem: z.string().nullable(),
})
export type TrustState = Immutable<z.infer<typeof TrustState>>

/** The entry of one workspace in the operator's `trust.json`. */
export const TrustRecord = z.strictObject({
  path: z.string().min(1).max(4200),
  /** Epoch milliseconds. */
  at: z.number(),
  items: z.array(TrustItem).max(1000),
  /** Digest of path and items. A record that another program wrote or truncated is invalid. */
  digest: z.string(),
})
export type TrustRecord = Immutable<z.infer<typeof TrustRecord>>

/** A variable that may be sent to an address, for any workspace that names both (D62). */
const AllowedPair = z.object({ name: z.string(), address: z.string() })

/** [V33] `turnscope/trust.json` in the operator's configuration folder. */
export const TrustFile = z.strictObject({
  version: z.literal(1),
  variables: z.array(AllowedPair).max(1000).default([]),
  workspaces: z.array(TrustRecord).max(10_000).default([]),
})
export type TrustFile = Immutable<z.infer<typeof TrustFile>>

/**
 * The data that a thread needs to decide about trust. It reads the trust file itself, so that a revocation takes
 * effect.
 */
export const TrustPlace = z.object({
  /** Real path. */
  workspace: z.string(),
  /** [V32] Folders of Turnscope itself, real paths. */
  own: z.array(z.string()),
  /** Path of `trust.json`; null if this machine has no location for it. */
  file: z.string().nullable(),
  /** Of `TURNSCOPE_ALLOW_ENV`. */
  pairs: z.array(AllowedPair),
  /**
   * [V38] Items allowed by `--trust`. `all` allows everything that a command encounters; only for commands that
   * terminate.
   */
  thisRun: z.union([z.array(TrustItem), z.literal('all')]),
})
export type TrustPlace = Immutable<z.infer<typeof TrustPlace>>
