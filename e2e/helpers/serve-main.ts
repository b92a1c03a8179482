/** The served process of an end-to-end test: `serve-main.ts WORKSPACE ROOT PORT [FILE]`, forked by serve.ts. */
import { load } from '../../bin/launch.cjs'

// What ships, as long as the build is current; it starts in a fraction of the time of the sources.
const { startServe } = await load('serve')
const [workspace = '', root = '', port = '0', file] = process.argv.slice(2)
const served = await startServe({
  ...{ workspace, root, port: Number(port) },
  files: file === undefined ? [] : [file],
})
process.send?.(served.url)
// The channel closes when the test is over, or when its process died: either way nothing is left behind.
process.once('disconnect', () => void served.close().finally(() => process.exit(0)))
