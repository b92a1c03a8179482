import { buildIfStale } from '../../scripts/build.ts'

/** Every end-to-end test runs what ships: the build, made once when it is not current. */
function globalSetup(): void {
  const built = buildIfStale()
  const seed = process.env['E2E_SEED']
  if (seed !== undefined) {
    process.stdout.write(`themes and sizes by E2E_SEED=${seed}; unset it to test all\n`)
  }
  if (!built.ok) throw new Error(`the build failed\n${built.log}`)
}

// Playwright requires a default export.
export { globalSetup as default }
