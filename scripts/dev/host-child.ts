import { join } from 'node:path'
import { startFirstThread } from '../../core/host/threads/main/first-thread.ts'
import { HOME, THREADS } from '../../core/place.ts'

// The host of `npm run dev`. Its parent bundles it, serves the pages and passes messages on.
//   node host.cjs WORKSPACE FILE…
const [, , workspace = HOME, ...files] = process.argv
// The thread of the first session loads its modules while this one loads the host.
const firstThread = startFirstThread(THREADS.session)
void import('../../core/serve.ts').then(async ({ startServe }) => {
  const served = await startServe({ workspace, root: join(HOME, 'renderer'), files, firstThread })
  process.send?.(served.url)
  const stop = () => void served.close().finally(() => process.exit(0))
  process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop)
})
