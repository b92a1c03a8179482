import type { Served } from '../../host/windows/main/loopback.ts'
import { notice, writeText } from '../../host/platform/terminal.ts'

/**
 * [U18] Prints a link for another browser when the operator presses Enter in the terminal. Does nothing if standard
 * input is no terminal. Returns a function that stops it.
 */
export function printLinksOnEnter(
  { newUrl }: Pick<Served, 'newUrl'>,
  input: NodeJS.ReadStream = process.stdin,
): () => void {
  if (!input.isTTY) return () => undefined
  const onLine = () => void writeText('stdout', `${newUrl()}\n`)
  input.on('data', onLine)
  notice('press Enter for a new link, for another browser')
  return () => {
    input.off('data', onLine)
    input.pause()
  }
}
