import { join } from 'node:path'
import { keepCompiled } from '../../bin/launch.cjs'
import { startFirstThread } from '../../core/host/threads/main/first-thread.ts'
import { THREADS } from '../../core/place.ts'
import { ROOT } from '../build.ts'

// The host of `npm run dev`, from the sources. Its parent serves the pages and passes messages on.
//   node scripts/dev/host-child.ts WORKSPACE FILE…
keepCompiled()
const [, , workspace = ROOT, ...files] = process.argv
// The thread of the first session loads its sources beside this one.
const firstThread = startFirstThread(THREADS.session)
const { startServe } = await import('../../core/serve.ts')
const served = await startServe({ workspace, root: join(ROOT, 'renderer'), files, firstThread })
process.send?.(served.url)
const stop = () => void served.close().finally(() => process.exit(0))
process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop)
