import type { MessagePort as ThreadPort } from 'node:worker_threads'
import { connect } from '../../wire/rpc.ts'
import type { RightsContract } from '../../wire/internal/rights.ts'
import type { Rights } from '../workspace/workspace.ts'
import { portOfParent } from '../platform/threads/ports.ts'

/** Operations that a thread may request from the main process. */
export interface AskedRights {
  readonly workspace: Rights
  /** [C14] Requests that an automaton is stored; failures are not reported. */
  readonly keepAutomaton: (name: string, bytes: Uint8Array) => void
}

/**
 * [F24] Rights of a restricted thread: each use is a request to the main process. Without a port, the thread was
 * started with the rights of the program.
 */
export function rightsBy(port: object | undefined): AskedRights | undefined {
  if (port === undefined) return undefined
  // The schema of the thread's data let no other object through.
  const main = connect<RightsContract>(portOfParent(port as ThreadPort))
  const workspace: Rights = {
    git: {
      textAt: (path, revision) => main.call('git.textAt', { path, revision }),
      revisionsOf: (path) => main.call('git.revisionsOf', { path }),
      inOneRepository: async (a, b) =>
        (await main.call('git.inOneRepository', { paths: [a, b] })).same,
      blame: async (path) => (await main.call('git.blame', { path })).times,
    },
    saves: {
      save: (order) => main.call('save.files', order),
      setAside: async (path) => (await main.call('save.aside', { path })).path,
    },
  }
  return {
    workspace,
    keepAutomaton: (name, bytes) => {
      main.call('automata.keep', { name, bytes }).catch(() => undefined)
    },
  }
}
