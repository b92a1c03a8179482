import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{core,electron,renderer,scripts,bench,fixtures}/**/*.test.{ts,tsx}'],
    reporters: ['default'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
})
