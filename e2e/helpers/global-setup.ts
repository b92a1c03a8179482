import { buildIfStale } from '../../scripts/build.ts'

/** Every end-to-end test runs what ships: the build, made once when it is not current. */
function globalSetup(): void {
  const built = buildIfStale()
  if (!built.ok) throw new Error(`the build failed\n${built.log}`)
}

// Playwright asks for a default export.
export { globalSetup as default }
