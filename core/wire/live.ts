import { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'
import { call } from './method.ts'
import { ReceiverStatus } from './receiver.ts'
import { nothing } from './shapes.ts'

/** A session recorded live: by a hook, or from data that a program sent. */
const LiveSession = z.object({
  agent: z.string(),
  path: z.string(),
  title: z.string(),
  cwd: z.string().nullable(),
  bytes: z.int().min(0),
  /** Epoch milliseconds of the last prompt. */
  changed: z.number(),
})
export type LiveSession = Readonly<z.infer<typeof LiveSession>>

/** [F171] A problem that a prompt met: it went on as if there were no hook. */
export const HookProblem = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  agent: z.string(),
  what: z.string(),
  where: z.string(),
  do: z.string(),
})
export type HookProblem = Readonly<z.infer<typeof HookProblem>>

/** [F172] Data that this account's hooks recorded, and the problems they met. */
export const LiveStatus = z.object({
  /** Process of the host that answers hooks, or null. */
  resident: z.int().nullable(),
  /** This host is it. */
  here: z.boolean(),
  /** The newest first, at most 100, and how many there are. */
  sessions: z.array(LiveSession),
  total: z.int().min(0),
  /** [F154] Traces and logs that programs send. */
  receiver: ReceiverStatus,
  /** The newest last. */
  problems: z.array(HookProblem),
  /** Commands that install the hook, by agent, for typing into a shell. */
  install: z.array(z.object({ agent: z.string(), label: z.string(), command: z.string() })),
})
export type LiveStatus = Immutable<z.infer<typeof LiveStatus>>

/** [U210] Prompts of running agents, in the window. */
export const liveContract = {
  'live.status': call('main', nothing, LiveStatus),
  /** Answers hooks from this host, now and whenever it starts; or not any more. */
  'live.answer': call('main', { on: z.boolean() }, LiveStatus),
  /** [F154] Receives traces and logs, now and whenever this host starts; or not any more. */
  'live.receive': call('main', { on: z.boolean() }, LiveStatus),
} as const
