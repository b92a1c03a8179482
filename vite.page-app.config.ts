import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
export default defineConfig({
  root: 'renderer',
  plugins: [react()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: '../dist/page-app', emptyOutDir: true, target: 'es2024', minify: true,
    assetsInlineLimit: 10_000_000,
    lib: { entry: 'main.tsx', formats: ['iife'], name: 'turnscopeApp', fileName: () => 'app.js', cssFileName: 'app' },
  },
})
