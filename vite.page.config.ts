import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const at = (name: string) => fileURLToPath(new URL(`page/node/${name}.ts`, import.meta.url))
const SMALL = ['os', 'url', 'util', 'vm', 'child_process', 'stream', 'stream/promises', 'zlib']

const MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SMALL.map((name) => [name, at('small')])),
  fs: at('fs'),
  'fs/promises': at('fs-promises'),
  crypto: at('crypto'),
  worker_threads: at('worker-threads'),
  'timers/promises': at('timers-promises'),
  path: 'path-browserify',
  yauzl: at('absent'),
  ai: at('absent'),
  '@ai-sdk/anthropic': at('absent'),
  '@ai-sdk/openai-compatible': at('absent'),
}

export default defineConfig({
  root: 'page',
  plugins: [
    {
      name: 'node-modules-of-the-page',
      enforce: 'pre',
      resolveId(id, importer) {
        if (id === 'node:buffer') return at('buffer')
        const name = id.startsWith('node:') ? id.slice(5) : id
        const found = MODULES[name]
        if (found === undefined) return null
        return found.startsWith('/') ? found : this.resolve(found, importer, { skipSelf: true })
      },
    },
  ],
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2024',
    minify: true,
    lib: { entry: 'worker.ts', formats: ['iife'], name: 'turnscopeHost', fileName: () => 'worker.js' },
  },
})
