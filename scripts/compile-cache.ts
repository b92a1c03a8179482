import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Lets Node keep what it made of the sources, types stripped and compiled, from one start to the next:
 * each thread would strip hundreds of files again. Called before they are loaded; threads that start
 * later follow the environment. Where the folder cannot be written, nothing is kept.
 */
export function keepCompiled(): void {
  const folder = fileURLToPath(new URL('../node_modules/.cache/turnscope', import.meta.url))
  process.env['NODE_COMPILE_CACHE'] ??= folder
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
}
