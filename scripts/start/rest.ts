import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { ROOT, staleParts } from '../build.ts'
import { LABELS, PARTS, type Part } from '../build/parts.ts'
import { writeText } from '../../core/host/platform/terminal.ts'

/** Output of the background build. */
const REST_LOG = 'dist/build.log'

/** Not built before it is used: the probe fetches 82 MB for it, and says so (F128). */
const ON_FIRST_USE: readonly Part[] = ['model']

export interface RestBuild {
  /** Ends the build. A part that is not finished is built again later. */
  readonly stop: () => void
}

/**
 * [F211] Builds the stale parts in the background, at low priority. Reports on standard error which features wait for
 * it, its end, and the path of its log if it fails.
 */
export function buildRest(
  say: (line: string) => void = (line) => void writeText('stderr', `${line}\n`),
): RestBuild {
  const missing = staleParts()
  const stale = missing.filter((part) => !ON_FIRST_USE.includes(part))
  if (missing.includes('model'))
    say('The sentence model is not built yet: the first probe fetches and builds it (82 MB).')
  if (stale.length === 0) return { stop: () => undefined }
  const names = PARTS.filter((part) => stale.includes(part)).map((part) => LABELS[part])
  say(`Building in the background: ${names.join(', ')}. Until then the host runs from the sources.`)
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const log = createWriteStream(join(ROOT, REST_LOG))
  const child = spawn(process.execPath, [join(ROOT, 'scripts/build.ts'), ...stale], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  let isStopped = false
  child.once('error', (error) => log.write(`${error.message}\n`))
  child.once('close', (code) => {
    log.end()
    if (isStopped) return
    say(
      code === 0
        ? 'The background build is done.'
        : `The background build failed. Its log: ${REST_LOG}. To repeat it, run: npm run build`,
    )
  })
  return {
    stop: () => {
      isStopped = true
      child.kill()
    },
  }
}

/** The window that is open has priority. Some systems refuse it. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The build competes with the window then.
  }
}
