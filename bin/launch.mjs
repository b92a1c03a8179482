// [F100] Says what a start runs: the command line that `npm run build` made while it is current, else the sources.
// Plain JavaScript: it is read at every start, and Node would load its TypeScript parser for this file alone.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire, enableCompileCache } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const ENTRIES = {
  main: ['dist/cli/main.cjs', 'core/cli/main.ts'],
  serve: ['dist/cli/serve.cjs', 'core/serve.ts'],
}

/** Path of the module to load. A package that came without the sources has the built one only. */
export function entryOf(name, root = ROOT) {
  const [built, source] = ENTRIES[name]
  const isBuilt = !existsSync(root + source) || isCurrent(root)
  return root + (isBuilt ? built : source)
}

/** Loads the module: a built one by `require`, which links its chunks in half the time. */
export async function load(name) {
  const path = entryOf(name)
  return path.endsWith('.ts') ? import(pathToFileURL(path).href) : createRequire(path)(path)
}

/** Whether each file that went into the build is as it was, and no module was added beside one. */
function isCurrent(root) {
  const inputs = readInputs(root + 'dist/cli/inputs.json')
  if (inputs === null) return false
  for (const [path, time, size] of inputs.files) {
    const info = statSync(root + path, { throwIfNoEntry: false })
    if (info === undefined || info.mtimeMs !== time || info.size !== size) return false
  }
  return inputs.folders.every(([path, time, names]) => {
    const info = statSync(root + path, { throwIfNoEntry: false })
    // An editor's or a test's file changes the time too: then the names decide.
    return info?.mtimeMs === time || (info !== undefined && modulesIn(root + path).join() === names)
  })
}

function readInputs(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Names of the modules of a folder, without tests. */
export function modulesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
}

/**
 * Lets Node keep what it made of the modules, types stripped and compiled, from one start to the next.
 * Called before they are loaded; threads that start later follow the environment. Where the folder cannot
 * be written, nothing is kept.
 */
export function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= ROOT + 'node_modules/.cache/turnscope'
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
}
