import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Part } from './parts.ts'

// Builds parts one after the other and reports each to its parent: scripts/build.ts starts one or more.
//   node scripts/build/lane.ts ROOT PART…

/** Sent when a part begins, and when its files are written. */
export interface LaneMessage {
  readonly part: Part
  readonly state: 'started' | 'built'
}

/** Every module that this process loads: nothing but Node's own modules is imported before. */
const modules: string[] = []
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) modules.push(fileURLToPath(url))
    return next(url, context)
  },
})
const { environmentOf, forgetPart, isBundle } = await import('./parts.ts')
const { makePart } = await import('./make.ts')

// A parent that went away wants nothing built.
process.once('disconnect', () => process.exit(1))

async function buildBundles(root: string, parts: readonly Part[]): Promise<void> {
  const { createBuilder } = await import('vite')
  const builder = await createBuilder({
    root: `${root}/renderer`,
    configFile: `${root}/vite.config.ts`,
    logLevel: 'warn',
  })
  for (const part of parts) {
    report(part, 'started')
    const environment = builder.environments[environmentOf(part) ?? '']
    if (environment === undefined) throw new Error(`vite.config.ts has no environment for ${part}`)
    try {
      await builder.build(environment)
    } catch (error) {
      // Vite reports an import without a package after it has written the bundle, which has a record by then.
      forgetPart(root, part)
      throw error
    }
    if (part === 'page-window') {
      const { assemblePageApp } = await import('../page/assemble.ts')
      assemblePageApp(root)
    }
    report(part, 'built')
  }
}

function report(part: Part, state: LaneMessage['state']): void {
  process.send?.({ part, state } satisfies LaneMessage)
}

const [, , root = '', ...names] = process.argv
const parts = names as readonly Part[]
for (const part of parts) forgetPart(root, part)
const bundles = parts.filter(isBundle)
if (bundles.length > 0) await buildBundles(root, bundles)
for (const part of parts.filter((each) => !isBundle(each))) {
  report(part, 'started')
  await makePart(root, part, modules)
  report(part, 'built')
}
process.removeAllListeners('disconnect')
if (process.connected) process.disconnect()
