import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const at = (name: string) => fileURLToPath(new URL(`../../page/node/${name}.ts`, import.meta.url))

/** Node modules imported by the host, and their replacements in an exported page. */
const MODULES: Readonly<Record<string, string>> = {
  'node:buffer': at('buffer'),
  'node:child_process': at('small'),
  'node:crypto': at('crypto'),
  'node:fs': at('fs'),
  'node:fs/promises': at('fs-promises'),
  'node:os': at('small'),
  'node:path': 'path-browserify',
  'node:stream': at('small'),
  'node:stream/promises': at('small'),
  'node:timers/promises': at('timers-promises'),
  'node:url': at('small'),
  'node:util': at('small'),
  'node:vm': at('small'),
  'node:worker_threads': at('worker-threads'),
  'node:zlib': at('small'),
  // Archives are unpacked before a session is exported, and a page calls no models.
  '@ai-sdk/anthropic': at('absent'),
  '@ai-sdk/openai-compatible': at('absent'),
  ai: at('absent'),
  yauzl: at('absent'),
  hyparquet: at('absent'),
  fzstd: at('absent'),
}

/** Builds the host of an exported page: a module of Node's that is not listed fails the build. */
export function nodeModulesOfThePage(environment: string): Plugin {
  return {
    name: 'node-modules-of-the-page',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === environment,
    async resolveId(id, importer) {
      const found = MODULES[id]
      if (found === undefined) {
        if (id.startsWith('node:')) this.error(`${id} (in ${importer}) is not in an exported page`)
        return null
      }
      return found.startsWith('/') ? found : this.resolve(found, importer, { skipSelf: true })
    },
  }
}
