import { builtinModules } from 'node:module'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const external = ['electron', 'bufferutil', 'utf-8-validate', /^node:/, ...builtinModules]

/** A bundle that Node runs: one CJS file per entry, everything but Electron and Node inside. */
function nodeBundle(name: string, input: Record<string, string>) {
  return {
    consumer: 'server' as const,
    resolve: { noExternal: true as const, external: ['electron'] },
    build: {
      outDir: `../dist/${name}`,
      emptyOutDir: true,
      minify: false,
      sourcemap: false,
      target: 'node24',
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input,
        external,
        output: {
          format: 'cjs' as const,
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name].cjs',
        },
      },
    },
  }
}

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The page comes from this machine: one chunk is read as fast as ten.
    chunkSizeWarningLimit: 2000,
  },
  environments: {
    main: nodeBundle('main', { main: 'electron/main.ts', worker: 'core/host/worker/main.ts' }),
    preload: nodeBundle('preload', { preload: 'electron/preload.ts' }),
  },
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments))
        await builder.build(environment)
    },
  },
})
