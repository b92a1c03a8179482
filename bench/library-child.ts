// The process of `npm run bench -- library` in which a folder is scanned or listed; nothing in it is warm.
//   node bench/library-child.ts <folder> <workspace> scan|list
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { openWorkspace } from '../core/host/workspace/workspace.ts'
import { createIndexStore } from '../core/host/library/main/index-file.ts'
import { createLibrary } from '../core/host/library/main/library.ts'
import { companionFinder } from '../core/host/library/main/listing.ts'
import { createRestrictedThreads } from '../core/host/threads/main/restricted-thread.ts'
import { createRightsDesk } from '../core/host/threads/main/rights.ts'
import { openStateStore } from '../core/host/settings/main/state-store.ts'
import { SESSION_LIMITS } from '../core/host/threads/main/session-limits.ts'
import { createWorkerPool } from '../core/host/threads/main/worker-pool.ts'
import { HOME, THREADS } from '../core/place.ts'
import type { SessionContract } from '../core/wire/threads.ts'

const THREAD_COUNT = 2

/** [F100] The thread that an installed Turnscope runs, while the build is current; else the sources. */
function sessionThread(): URL {
  const { entryOf } = createRequire(import.meta.url)('../bin/launch.cjs') as {
    readonly entryOf: (name: 'main') => string
  }
  const entry = entryOf('main')
  return entry.endsWith('.cjs') ? new URL('session.cjs', pathToFileURL(entry)) : THREADS.session
}

const [folder = '', root = '', command] = process.argv.slice(2)
const workspace = openWorkspace(root, HOME)
const restricted = createRestrictedThreads(createRightsDesk(workspace))
const pool = createWorkerPool<SessionContract>({
  url: sessionThread(),
  data: { workspace: root, shipped: HOME, trust: workspace.trust.place, automata: null },
  limits: SESSION_LIMITS,
  start: restricted.start,
  size: THREAD_COUNT,
})
const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }
const asked = { folder, config, compare: null }
// Only here, because the main thread runs from sources: loading the importers strips types from hundreds of files.
await companionFinder([])
const start = performance.now()
const before = process.cpuUsage()
const library = createLibrary({
  pool,
  threads: THREAD_COUNT,
  workspace,
  version: '0',
  clock: () => 1,
  say: () => undefined,
  state: openStateStore(root, () => undefined),
  indexes: createIndexStore(root),
})
if (command === 'scan') {
  const steps = library.scan(asked, new AbortController().signal)
  while ((await steps.next()).done !== true) continue
}
const { entries } = await library.entries(asked)
const { user, system } = process.cpuUsage(before)
const wall = performance.now() - start
const known = entries.flatMap(({ path, stats }) => (stats === null ? [] : [[path, stats]]))
await pool.close()
restricted.close()
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000, known }))
