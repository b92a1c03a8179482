import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { stampOf } from '../../core/host/automata/stamp.ts'
import { err, ok, type Result } from '../../core/engine/result.ts'
import { ROOT } from '../build.ts'

/** Two folders below the root, as `dist/cli`: bundled modules find the shipped files from their own place. */
const FOLDER = join(ROOT, 'out/dev-host')
/** Names that core/place.ts gives the threads of a built host. */
const ENTRIES = {
  host: 'scripts/dev/host-child.ts',
  session: 'core/host/entries/session.ts',
  lab: 'core/host/entries/lab.ts',
  probe: 'core/host/probe/main.ts',
  'hook-host': 'core/host/hook/main.ts',
  otlp: 'core/host/receiver/main.ts',
  results: 'core/host/results/main.ts',
  edit: 'core/host/results/edit/thread.ts',
} as const

/**
 * Bundles the sources of the host and its threads, with packages left outside. A host starts from a few bundles in half
 * the time that it needs for a thousand sources. Returns the path of the host's entry, or the errors of the bundler.
 */
export async function bundleHost(): Promise<Result<string, string>> {
  try {
    const bundle = await rolldown({
      cwd: ROOT,
      input: ENTRIES,
      platform: 'node',
      external: [...builtinModules, /^node:/u, /^[@a-z]/u],
      transform: { define: { WORKED_OUT_STAMP: JSON.stringify(stampOf(ROOT)) } },
      logLevel: 'silent',
    })
    await bundle.write({
      dir: FOLDER,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
    })
    await bundle.close()
    return ok(join(FOLDER, 'host.cjs'))
  } catch (error) {
    return err(String(error))
  }
}
