import type { Progress } from '../build.ts'
import { LABELS, type Part } from '../build/parts.ts'

/** Time between two updates of the line on a terminal, in ms. */
const UPDATE_MS = 200

/**
 * Shows a build on standard error: one line that is updated on a terminal, else one line per part. Call `end` when the
 * build is over.
 */
export function showProgress(
  parts: readonly Part[],
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stderr,
): { readonly update: (progress: Progress) => void; readonly end: () => void } {
  const startedAt = performance.now()
  let running: Part | null = null
  let built = 0
  const text = () => {
    const label = running === null ? 'loading the bundler' : LABELS[running]
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    return `Building ${Math.min(built + 1, parts.length)} of ${parts.length}: ${label}, ${seconds} s`
  }
  const draw = () => output.write(`\r\u001b[K${text()}`)
  const timer = output.isTTY ? setInterval(draw, UPDATE_MS) : null
  if (timer === null) output.write(`Building ${parts.map((part) => LABELS[part]).join(', ')}…\n`)
  const line = (words: string) => output.write(`${timer === null ? '' : '\r\u001b[K'}${words}\n`)
  return {
    update: ({ part, state, ms }) => {
      running = part
      if (state === 'started') return
      built += 1
      line(`Built ${LABELS[part]} in ${(ms / 1000).toFixed(1)} s`)
    },
    end: () => {
      if (timer === null) return
      clearInterval(timer)
      output.write('\r\u001b[K')
    },
  }
}
