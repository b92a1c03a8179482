import { builtinModules } from 'node:module'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { stampOf } from './core/host/automata/stamp.ts'
import { recordBundles } from './scripts/build/parts.ts'
import { listPackages } from './scripts/licences/bundled.ts'
import { nodeModulesOfThePage } from './scripts/page/modules.ts'

const external = ['electron', 'bufferutil', 'utf-8-validate', /^node:/, ...builtinModules]

/** The oldest Node that runs a bundle, and what its entries begin with for its sake. */
interface Older {
  readonly target: string
  readonly banner: string
}
const NONE_OLDER: Older = { target: 'node24', banner: '' }
/** [F123] The npm package runs on Node 20 too. */
const NODE_20: Older = {
  target: 'node20',
  banner: "require('../../bin/older-node.cjs')",
}

/** A bundle that Node runs: one CJS file per entry, everything but Electron and Node inside. */
function nodeBundle(name: string, input: Record<string, string>, older: Older = NONE_OLDER) {
  return {
    consumer: 'server' as const,
    resolve: { noExternal: true as const, external: ['electron'] },
    define: { WORKED_OUT_STAMP: JSON.stringify(stampOf(import.meta.dirname)) },
    build: {
      outDir: `../dist/${name}`,
      emptyOutDir: true,
      minify: false,
      sourcemap: false,
      target: older.target,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input,
        external,
        output: {
          format: 'cjs' as const,
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name].cjs',
          // Comments are in no cache key (F210): an edited one must not change a byte.
          comments: { legal: true, annotation: true, jsdoc: false },
          banner: (chunk: { readonly isEntry: boolean }) => (chunk.isEntry ? older.banner : ''),
        },
      },
    },
  }
}

/** A module that browsers and Node import: one file, nothing outside. */
function moduleBundle(name: string, input: Record<string, string>) {
  return {
    consumer: 'client' as const,
    build: {
      outDir: `../dist/${name}`,
      emptyOutDir: true,
      minify: true,
      sourcemap: false,
      target: 'es2024',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input,
        // No module of this repository imports its exports.
        preserveEntrySignatures: 'strict' as const,
        output: {
          format: 'es' as const,
          codeSplitting: false,
          entryFileNames: '[name].js',
        },
      },
    },
  }
}

/** A script of an exported page: one file, nothing outside. */
function pageBundle(name: string, input: string) {
  return {
    consumer: 'client' as const,
    build: {
      outDir: `../dist/page/${name}`,
      emptyOutDir: true,
      minify: true,
      sourcemap: false,
      target: 'es2024',
      chunkSizeWarningLimit: 4000,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { [name]: input },
        // Vite's own helper for imports on demand asks for it; there are none in one file.
        transform: { define: { 'import.meta': '{}' } },
        output: {
          // A page that came from a file may not start a worker from a module.
          format: 'iife' as const,
          codeSplitting: false,
          entryFileNames: '[name].js',
        },
      },
    },
  }
}

/** [U200] The window of an exported page: the same program in one script, because a file has no others beside it. */
function pageWindow() {
  const { build, consumer } = pageBundle('window', 'renderer/main.tsx')
  const { input } = build.rolldownOptions
  const output = { codeSplitting: false, entryFileNames: 'assets/[name].js' }
  // Fonts are put into the style sheet when the page is assembled.
  return { consumer, build: { ...build, assetsInlineLimit: 0, rolldownOptions: { input, output } } }
}

const CONNECTION = 'connection'
/** What the window needs to connect to its host. */
const CONNECTING =
  /renderer\/app\/(?:connect-early|connection|api|origin-key|asked-ahead|first-rows|which-session)\.ts$|core\/wire\/(?:rpc|socket-port|messages)\.ts$/

/** [U203] Lets the page run the script that connects before it has read that of the window, which imports it, too. */
function connectEarly(): Plugin {
  return {
    name: 'connect-early',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle, path }) => {
        const chunk = Object.values(bundle ?? {}).find(
          (one) => one.type === 'chunk' && one.name === CONNECTION,
        )
        if (bundle !== undefined && chunk === undefined)
          throw new Error(`${path}: there is no script ${CONNECTION}`)
        const src = `./${chunk?.fileName ?? ''}`
        const attrs = { type: 'module', crossorigin: true, src }
        return chunk === undefined ? [] : [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

const NATIVE_RUNTIME = 'requireFromHere("onnxruntime-node")'

/**
 * transformers.js without what a bundle cannot hold: native code for images, which are never read here,
 * and the native runtime, which lies beside the archive and is handed to it (onnx-runtime.ts).
 */
function leanTransformers(): Plugin {
  const nothing = '\0no-images'
  return {
    name: 'lean-transformers',
    enforce: 'pre',
    resolveId: (id) => (id === 'sharp' ? nothing : null),
    load: (id) => (id === nothing ? 'export default {}' : null),
    transform: (code, id) => {
      if (!id.endsWith('/transformers.node.mjs')) return null
      if (!code.includes(NATIVE_RUNTIME)) throw new Error(`no ${NATIVE_RUNTIME} in ${id}`)
      // A bundle in CommonJS has an address of its own, but no `import.meta` to ask for.
      const asked = code.replaceAll('typeof import.meta !== "undefined"', 'true')
      return { code: asked.replace(NATIVE_RUNTIME, '({})'), map: null }
    },
  }
}

const NOT_OVER_STDIO = /(?:\/validation\/ajv-provider\.js|^zod\/v3|^zod-to-json-schema)$/u

/**
 * The SDK of the Model Context Protocol without what a server on stdio never asks for: a validator of JSON Schema (of
 * what clients answer to forms), and zod 3 with its schemas (ours are of zod 4). They would be most of the chunk.
 */
function leanMcp(): Plugin {
  const nothing = '\0not-over-stdio'
  return {
    name: 'lean-mcp',
    enforce: 'pre',
    resolveId: (id, importer = '') =>
      importer.includes('/@modelcontextprotocol/sdk/') && NOT_OVER_STDIO.test(id) ? nothing : null,
    load: (id) =>
      id === nothing
        ? 'export class AjvJsonSchemaValidator {}\nexport const zodToJsonSchema = undefined\nexport const object = undefined'
        : null,
  }
}

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [
    react(),
    leanTransformers(),
    leanMcp(),
    connectEarly(),
    nodeModulesOfThePage('pageHost'),
    listPackages(import.meta.dirname),
    recordBundles(import.meta.dirname),
  ],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The page comes from this machine: one chunk is read as fast as ten.
    chunkSizeWarningLimit: 2000,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // [U200] What the first screen needs is one script, also where later parts need it too: a server without
          // multiplexing is asked once, not fifty times.
          output: {
            codeSplitting: {
              groups: [
                { name: CONNECTION, test: CONNECTING, priority: 1 },
                { name: 'window', tags: ['$initial'] },
              ],
            },
          },
        },
      },
    },
    main: nodeBundle('main', {
      main: 'electron/main.ts',
      session: 'core/host/entries/session.ts',
      lab: 'core/host/entries/lab.ts',
      probe: 'core/host/probe/main.ts',
      'hook-host': 'core/host/hook/main.ts',
      otlp: 'core/host/receiver/main.ts',
      results: 'core/host/results/main.ts',
      edit: 'core/host/results/edit/thread.ts',
    }),
    preload: nodeBundle('preload', { preload: 'electron/preload.ts' }),
    // [F100] A chunk a command, loaded when it is asked for; threads and serve mode beside them.
    cli: nodeBundle(
      'cli',
      {
        main: 'core/cli/main.ts',
        serve: 'core/serve.ts',
        api: 'core/api/node.ts',
        hook: 'core/cli/hook/hook-entry.ts',
        'hook-here': 'core/cli/hook/hook-here.ts',
        'hook-host': 'core/host/hook/main.ts',
        otlp: 'core/host/receiver/main.ts',
        session: 'core/host/entries/session.ts',
        lab: 'core/host/entries/lab.ts',
        probe: 'core/host/probe/main.ts',
        results: 'core/host/results/main.ts',
        edit: 'core/host/results/edit/thread.ts',
        batch: 'core/host/batch/worker.ts',
        'build-model': 'scripts/model/main.ts',
      },
      NODE_20,
    ),
    // [F191] The engine for a browser, as a module of its own.
    api: moduleBundle('api', { engine: 'core/api/engine.ts' }),
    pageApp: pageWindow(),
    pageHost: pageBundle('host', 'page/host.ts'),
    pageBoot: pageBundle('boot', 'page/boot.ts'),
  },
})
