import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from './scripts/browser.ts'

const executablePath = findBrowser()
const isCi = process.env['CI'] !== undefined

/** End-to-end in real Chromium: serve mode, and the electron double for the desktop shell's own code. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/helpers/global-setup.ts',
  outputDir: 'test-results',
  snapshotPathTemplate: 'e2e/goldens/{arg}{ext}',
  timeout: 60_000,
  // How long a busy machine may take; what is expected comes at once on a quiet one.
  expect: { timeout: 15_000 },
  retries: isCi ? 1 : 0,
  forbidOnly: isCi,
  workers: 2,
  reporter: [['list']],
  use: {
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    // Recording every test costs a fifth of all: `--trace on` asks for it where a test fails.
    trace: isCi ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
    video: 'off',
    launchOptions: {
      args: [...BROWSER_ARGS],
      ...(executablePath === null ? {} : { executablePath }),
    },
  },
})
