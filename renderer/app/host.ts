import { createStore } from 'zustand/vanilla'
import { RpcError } from '../../core/wire/rpc.ts'
import { capital } from '../ui/format.ts'
import type { Host } from './api.ts'
import type { Failure } from './async-data.ts'

interface Connected {
  /** Another one after every reconnection; null when the host went away. */
  readonly host: Host | null
  /** True once the host has opened the same session, so that data on screen can be requested. */
  readonly isReady: boolean
}

export const connection = createStore<Connected>(() => ({ host: null, isReady: false }))

/** Called on every (re)connection; null when the host went away. */
export function setHost(host: Host | null, isReady = host !== null): void {
  connection.setState({ host, isReady })
}

export function connectedHost(): Host | null {
  return connection.getState().host
}

/** The client of the connected host. Throws `CLOSED` if no host is connected, like any call. */
export function host(): Host {
  const current = connectedHost()
  if (!current) throw new RpcError('CLOSED', 'the host went away')
  return current
}

const ADVICE: Partial<Record<RpcError['code'], string>> = {
  CLOSED: 'Wait for the connection to come back, then try again.',
  BAD_OUTPUT: 'This is a fault of Turnscope: please report it with the file that shows it.',
  FAILED: 'This is a fault of Turnscope: please report it with the file that shows it.',
  BAD_INPUT: 'This is a fault of Turnscope: please report what you did.',
}

/**
 * Turns an error of a call into a message for the operator. A `REFUSED` error already gives its place and what to do.
 */
export function failureOf(error: unknown, where: string): Failure {
  const failure = error instanceof RpcError ? error : new RpcError('FAILED', wordsOf(error))
  return {
    what: capital(failure.what),
    where: failure.where ?? where,
    do: failure.do ?? ADVICE[failure.code] ?? '',
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** True when the caller itself gave up: nothing to tell anybody. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof RpcError && error.code === 'CLOSED' && error.message === 'cancelled'
}
