import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** Bounds of what an item may name; whatever names one keeps them, so that every list of items can be told. */
export const Address = z.string().max(4200)
export const Variable = z.string().max(400)

/** [V31] One thing that trust in a workspace turns on. Two items are the same where all fields are equal. */
export const TrustItem = z.strictObject({
  kind: z.enum(['store', 'embedder', 'coach', 'git']),
  /** The driver, protocol or provider: `qdrant`, `ollama`, `anthropic`, `git`. */
  by: z.string().max(100),
  /** An address, a folder or a model; empty where a variable holds the address. */
  address: Address,
  /** Environment variables that may be read for it, and sent to the address. */
  variables: z.array(Variable).max(10),
})
export type TrustItem = Immutable<z.infer<typeof TrustItem>>

/** An item that a workspace names now. */
export const TrustUse = TrustItem.extend({
  /** What uses it: names of collections and embedders, a model. */
  users: z.array(z.string()),
  granted: z.boolean(),
})
export type TrustUse = Immutable<z.infer<typeof TrustUse>>

/**
 * `own`: belongs to Turnscope itself, nothing is asked. `plain`: names nothing that needs trust.
 * `trusted`: all that it names was allowed. `restricted`: something is off until the person allows it.
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
  /** Whether something was allowed before: then the question is about what is new. */
  known: z.boolean(),
  /** Allowed by `--trust` for this run, and kept nowhere. */
  thisRun: z.boolean(),
  /** What could not be read, in a sentence: the trust file, or what the workspace names. */
  problem: z.string().nullable(),
})
export type TrustState = Immutable<z.infer<typeof TrustState>>

/** What the person's `trust.json` keeps of one workspace. */
export const TrustRecord = z.strictObject({
  path: z.string().min(1).max(4200),
  /** Epoch milliseconds. */
  at: z.number(),
  items: z.array(TrustItem).max(1000),
  /** Of path and items: a record that somebody else wrote or cut short is none. */
  digest: z.string(),
})
export type TrustRecord = Immutable<z.infer<typeof TrustRecord>>

/** A variable that may be sent to an address, whatever workspace names the two (D62). */
const AllowedPair = z.object({ name: z.string(), address: z.string() })

/** [V33] `turnscope/trust.json` of the person's configuration folder. */
export const TrustFile = z.strictObject({
  version: z.literal(1),
  variables: z.array(AllowedPair).max(1000).default([]),
  workspaces: z.array(TrustRecord).max(10_000).default([]),
})
export type TrustFile = Immutable<z.infer<typeof TrustFile>>

/** What a thread has to know to decide: it reads the trust file itself, so that what is revoked is off. */
export const TrustPlace = z.object({
  /** Real path. */
  workspace: z.string(),
  /** [V32] Folders of Turnscope itself, real paths. */
  own: z.array(z.string()),
  /** Path of `trust.json`; null where this machine has no place for it. */
  file: z.string().nullable(),
  /** Of `TURNSCOPE_ALLOW_ENV`. */
  pairs: z.array(AllowedPair),
  /** [V38] `--trust`: these, or whatever a command that ends by itself meets. */
  thisRun: z.union([z.array(TrustItem), z.literal('all')]),
})
export type TrustPlace = Immutable<z.infer<typeof TrustPlace>>
