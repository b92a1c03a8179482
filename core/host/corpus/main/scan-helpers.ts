import { availableParallelism } from 'node:os'
import { MessageChannel } from 'node:worker_threads'
import type { HostThread, StartThread } from '../../threads/main/restricted-thread.ts'

/** More threads than this wait for memory rather than for a processor. */
const MOST_HELPERS = 3

/**
 * [L107] UTF-16 units of texts from which on helpers are worth their start, which takes about a second of a
 * processor: modules, automaton, and patterns that run slowly at first.
 */
export const WORTH_CHARS = 8_000_000

/** [L107] Number of threads that look for signals beside the one that has the texts: the other processors. */
export function helpersOf(processors = availableParallelism()): number {
  return Math.max(0, Math.min(MOST_HELPERS, processors - 1))
}

/**
 * [L107] Starts the lab's thread with ports to helpers. They run the same entry with the same rights (F24). The lab may
 * not start threads, so it requests their start over a separate port. Helpers end with the lab. If a helper ends or
 * cannot be started, its port closes and the lab does its work.
 */
export function withHelpers(
  start: StartThread,
  count = helpersOf(),
  scanFrom = WORTH_CHARS,
): StartThread {
  return (url, { workerData: given, transferList = [], ...options }) => {
    // Node's types take the data of a thread for anything.
    const workerData = given as object
    if (count === 0) return start(url, { ...options, workerData, transferList })
    const channels = Array.from({ length: count }, () => new MessageChannel())
    const wake = new MessageChannel()
    const scanners = channels.map(({ port1 }) => port1)
    const lab = start(url, {
      ...options,
      workerData: { ...workerData, scanners, wake: wake.port1, scanFrom },
      transferList: [...transferList, ...scanners, wake.port1],
    })
    const helpers: HostThread[] = []
    let isOver = false
    wake.port2.once('message', () => {
      if (isOver) return
      for (const { port2: asked } of channels) {
        try {
          const theirs = { workerData: { ...workerData, asked }, transferList: [asked] }
          const helper = start(url, { ...options, ...theirs })
          // Its port closes with it, which the lab notices. An unhandled error event would end the program.
          helper.on('error', () => undefined)
          helpers.push(helper)
        } catch {
          asked.close()
        }
      }
    })
    lab.once('exit', () => {
      isOver = true
      wake.port2.close()
      for (const helper of helpers) void helper.terminate()
    })
    return lab
  }
}
