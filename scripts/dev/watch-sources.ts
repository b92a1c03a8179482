import { watch } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../build.ts'

/** Changes within this time count as one, in ms: editors write a file in several steps. */
const SETTLE_MS = 50

/**
 * Calls `act` with the name of a changed source below folders of the project; tests are no sources. Calls do not overlap: what
 * changes meanwhile leads to one more call.
 */
export function watchSources(
  folders: readonly string[],
  act: (changed: string) => Promise<void>,
): void {
  let timer: NodeJS.Timeout | undefined
  let waiting: string | null = null
  let isBusy = false
  const run = async () => {
    if (isBusy) return
    isBusy = true
    for (let next = waiting; next !== null; next = waiting) {
      waiting = null
      try {
        await act(next)
      } catch (error) {
        process.stderr.write(`${String(error)}\nThe next change of a source tries again.\n`)
      }
    }
    isBusy = false
  }
  for (const folder of folders)
    watch(join(ROOT, folder), { recursive: true }, (_, name) => {
      if (name === null || !/\.(?:tsx?|css|json)$/u.test(name) || name.includes('.test.')) return
      waiting = join(folder, name)
      clearTimeout(timer)
      timer = setTimeout(() => void run(), SETTLE_MS)
    })
}
