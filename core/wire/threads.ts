import { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'
import { TrustPlace } from '../engine/schema/trust.ts'
import { contract } from './contract.ts'
import { coachRows } from './internal/coach.ts'
import { labRows } from './internal/lab.ts'
import { pictureRows } from './internal/pictures.ts'
import { probeRows, WithSettings } from './internal/probe.ts'
import { resultsRows } from './internal/results.ts'
import { libraryRows, sessionRows } from './internal/session.ts'
import { type Contract, type Method, rowsAt } from './method.ts'

/**
 * Calls from the main process to its threads, besides those forwarded for a window. No window reaches these rows. If a
 * name is in both contracts, the window's row is at `main`.
 */
const internal = {
  ...sessionRows,
  ...libraryRows,
  ...pictureRows,
  ...coachRows,
  ...labRows,
  ...probeRows,
  ...resultsRows,
} as const satisfies Contract

/** Threads that hold opened files; any of them answers for the workspace. */
export const sessionContract = {
  ...rowsAt(contract, 'session', 'workspace'),
  ...rowsAt(internal, 'session', 'workspace'),
}
export type SessionContract = typeof sessionContract

export const labThreadContract = { ...rowsAt(contract, 'lab'), ...rowsAt(internal, 'lab') }
export type LabThreadContract = typeof labThreadContract

export const probeThreadContract = {
  ...withSettings(rowsAt(contract, 'probe')),
  ...rowsAt(internal, 'probe'),
}
export type ProbeThreadContract = typeof probeThreadContract

/** [F140] The thread that asks results of batches. */
export const resultsThreadContract = {
  ...rowsAt(contract, 'results'),
  ...rowsAt(internal, 'results'),
}
export type ResultsThreadContract = typeof resultsThreadContract

type Objects = Readonly<Record<string, Method & { readonly in: z.ZodObject }>>
type Told<C extends Objects> = {
  readonly [K in keyof C]: Omit<C[K], 'in'> & {
    readonly in: z.ZodObject<C[K]['in']['shape'] & typeof WithSettings.shape>
  }
}

/** Adds the current settings to calls that the main process forwards to the probe thread. */
function withSettings<C extends Objects>(rows: C): Told<C> {
  const told = ([name, row]: [string, Objects[string]]) => [
    name,
    { ...row, in: row.in.extend(WithSettings.shape) },
  ]
  // Each row under its name, with the input that the type says.
  return Object.fromEntries(Object.entries(rows).map(told)) as Told<C>
}

/** Data that a thread receives when it starts. */
export const ThreadData = z.object({
  workspace: z.string(),
  shipped: z.string(),
  /** Location of the trust decision. The thread reads it again for every use. */
  trust: TrustPlace,
  /** [C14] Folder of this account's automata, if it has one. */
  automata: z.string().nullable(),
  /** Port on which a thread without rights requests operations; absent if it has the program's rights. */
  rights: z.instanceof(MessagePort).optional(),
})
export type ThreadData = Immutable<z.infer<typeof ThreadData>>

/** [F131] Start data of a thread that receives the remaining data later, once, on this port. */
export const EarlyThreadData = ThreadData.pick({ rights: true }).extend({
  begin: z.instanceof(MessagePort),
})

/** [L107] Start data of the lab thread: ports to the threads that search for signals with it. */
export const LabThreadData = ThreadData.extend({
  scanners: z.array(z.instanceof(MessagePort)).default([]),
  /** Any message on it starts them. */
  wake: z.instanceof(MessagePort).optional(),
  /** UTF-16 units of a corpus from which on they are worth their start. */
  scanFrom: z.number().default(0),
})

/** Start data of a thread that searches for signals: the port for its requests. */
export const ScanThreadData = ThreadData.pick({ shipped: true, automata: true }).extend({
  asked: z.instanceof(MessagePort),
})

/**
 * [F140] Start data of the results thread. It reads files that the operator opens, and files that the workspace names
 * when an edit is tried.
 */
export const ResultsThreadData = ThreadData.omit({ rights: true })
export type ResultsThreadData = Immutable<z.infer<typeof ResultsThreadData>>

export const ProbeThreadData = ThreadData.omit({ automata: true }).extend({ stateDir: z.string() })
export type ProbeThreadData = Immutable<z.infer<typeof ProbeThreadData>>
