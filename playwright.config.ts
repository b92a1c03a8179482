import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from './scripts/browser.ts'

const executablePath = findBrowser()
const isCi = process.env['CI'] !== undefined

/** Long past any answer, on a loaded machine too. It ends a test that hangs; no test is written to meet it. */
const HANGS_MS = 3 * 60_000
/** Ends the run with the results so far, before a continuous integration run is cut off without any. */
const RUN_ENDS_MS = 45 * 60_000
const OTHER_BROWSERS = ['**/other-browsers.spec.ts', '**/real-electron.spec.ts']

/**
 * End-to-end in real Chromium. Projects: `serve`, serve mode; `double`, the shell of the desktop app in the electron
 * double; `other-browsers`, Firefox, WebKitGTK and the real Electron if they are installed.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/helpers/global-setup.ts',
  outputDir: 'test-results',
  snapshotPathTemplate: 'e2e/goldens/{arg}{ext}',
  timeout: HANGS_MS,
  expect: { timeout: HANGS_MS / 4 },
  globalTimeout: RUN_ENDS_MS,
  retries: 0,
  projects: [
    { name: 'serve', testIgnore: ['**/electron-double/**', ...OTHER_BROWSERS] },
    { name: 'double', testMatch: '**/electron-double/*.spec.ts' },
    { name: 'other-browsers', testMatch: OTHER_BROWSERS },
  ],
  forbidOnly: isCi,
  workers: 2,
  reporter: [['list']],
  use: {
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    // Recording every test costs a fifth of all: `--trace on` asks for it where a test fails.
    trace: 'off',
    screenshot: 'only-on-failure',
    video: 'off',
    launchOptions: {
      args: [...BROWSER_ARGS],
      ...(executablePath === null ? {} : { executablePath }),
    },
  },
})
