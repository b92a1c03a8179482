// [F100] Selects the code for a start: the command line built by `npm run build` if it is current, else the sources.
// Plain CommonJS, because it is read at every start and ends before Node would have set up its other loaders.
'use strict'
const { existsSync, readFileSync, statSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { dirname, isAbsolute, join } = require('node:path')

const ROOT = dirname(__dirname) + '/'
const ENTRIES = {
  main: ['dist/cli/main.cjs', 'core/cli/main.ts'],
  serve: ['dist/cli/serve.cjs', 'core/serve.ts'],
  hook: ['dist/cli/hook.cjs', 'core/cli/hook/hook-entry.ts'],
  hookHere: ['dist/cli/hook-here.cjs', 'core/cli/hook/hook-here.ts'],
}

exports.entryOf = entryOf
exports.load = load
exports.keepCompiled = keepCompiled
exports.start = start

/** Starts the command of a command line. */
async function start(args) {
  // [F170] An agent starts it at each prompt, and the user waits.
  if (isPromptHook(args)) return runHook()
  keepCompiled()
  await load('main')
}

/** Whether an agent starts it at a prompt: `hook`, with options or `answer`, but not its help. */
function isPromptHook([first, second, ...rest]) {
  if (first !== 'hook' || [second, ...rest].some((word) => word === '--help' || word === '-h'))
    return false
  return second === undefined || second === 'answer' || second.startsWith('--')
}

/**
 * Calls the host that answers hooks. The client is small and decides nothing, so its build is not checked for being
 * current. If no host answers, the rest is loaded as for any command.
 */
async function runHook() {
  try {
    const [built, source] = ENTRIES.hook
    const path = ROOT + (existsSync(ROOT + built) ? built : source)
    const asked = await (await loadFile(path)).askHost()
    if (asked === null) return
    keepCompiled()
    await (await load('hookHere')).answerOnStdout(asked)
  } catch (error) {
    // [F171] A damaged installation must not hold a prompt up: agents take other codes than 0 as a refusal.
    process.stderr.write('turnscope: the hook could not start: ' + String(error) + '\n')
    process.exitCode = 0
  }
}

/** Path of the module to load. A package that came without the sources has the built one only. */
function entryOf(name, root = ROOT) {
  const [built, source] = ENTRIES[name]
  const isBuilt = !existsSync(root + source) || isCurrent(root)
  return root + (isBuilt ? built : source)
}

function load(name) {
  return loadFile(entryOf(name))
}

async function loadFile(path) {
  return path.endsWith('.cjs')
    ? require(path)
    : import(require('node:url').pathToFileURL(path).href)
}

/** Returns true if the code of each file that went into the build is unchanged. */
function isCurrent(root) {
  const inputs = readInputs(root + 'dist/cli/inputs.json')
  return inputs !== null && inputs.files.every((row) => isUnchanged(root, row))
}

/** Compares time and size first. Reads the file only if they differ. */
function isUnchanged(root, [path, time, size, hash]) {
  const info = statSync(root + path, { throwIfNoEntry: false })
  if (info === undefined) return false
  if (info.mtimeMs === time && info.size === size) return true
  return require('./source-code.cjs').hashSource(path, readFileSync(root + path)) === hash
}

function readInputs(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Not built, or a build that is under way or was stopped: it writes this file last.
    return null
  }
}

/**
 * Lets Node cache the stripped and compiled modules between starts: in a clone's node_modules, or for an installed
 * package in the account's cache. Called before modules are loaded; threads that start later follow the environment. If
 * the folder does not exist or is not writable, nothing is cached.
 */
function keepCompiled(root = ROOT) {
  // Node 20 keeps nothing.
  if (enableCompileCache === undefined) return
  const folder = process.env.NODE_COMPILE_CACHE || compiledFolder(root, process.env)
  if (folder === null) return
  process.env.NODE_COMPILE_CACHE = folder
  enableCompileCache(folder)
}

function compiledFolder(root, { XDG_CACHE_HOME, LOCALAPPDATA, HOME }) {
  if (existsSync(root + 'core')) return root + 'node_modules/.cache/turnscope'
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME ? join(HOME, '.cache') : '')
  return isAbsolute(cache) ? join(cache, 'turnscope', 'compiled') : null
}
