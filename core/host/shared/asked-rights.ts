import type { MessagePort as ThreadPort } from 'node:worker_threads'
import { connect } from '../../wire/rpc.ts'
import type { RightsContract } from '../../wire/internal/rights.ts'
import type { Rights } from '../files/workspace.ts'
import { portOfParent } from './ports.ts'

/**
 * [F24] The rights of a thread that has none: the main process is asked for each use. Without a port the
 * thread was started with those of the program.
 */
export function rightsBy(port: object | undefined): Rights | undefined {
  if (port === undefined) return undefined
  // The schema of the thread's data let no other object through.
  const main = connect<RightsContract>(portOfParent(port as ThreadPort))
  return {
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
}
