/** The served process of an end-to-end test: `serve-main.ts WORKSPACE ROOT PORT [FILE]`, forked by serve.ts. */
import { load } from '../../bin/launch.cjs'

// What ships, as long as the build is current; it starts in a fraction of the time of the sources.
const { startServe } = await load('serve')
const [workspace = '', root = '', port = '0', file] = process.argv.slice(2)
// A feed of updates: the real library looks there, for an installed version that the test made up.
const feed = process.env['TURNSCOPE_TEST_FEED']
const served = await startServe({
  ...(feed === undefined ? {} : { updates: await updatesOf(feed) }),
  ...{ workspace, root, port: Number(port) },
  receiverPort: Number(process.env['TURNSCOPE_TEST_RECEIVER_PORT'] ?? 0),
  files: file === undefined ? [] : [file],
})
process.send?.(served.url)

async function updatesOf(address: string) {
  const { updaterOf } = await import('../../fixtures/updates/updater.ts')
  return updaterOf({ version: '1.0.0', folder: workspace, address })
}
// The channel closes when the test is over, or when its process died: either way nothing is left behind.
process.once('disconnect', () => void served.close().finally(() => process.exit(0)))
