import { buildIfStale } from '../build.ts'

// `npm pack` and `npm publish` call this; installing the package does not.
const built = buildIfStale()
if (!built.ok) {
  console.error(built.log)
  process.exitCode = 1
}
