import type { Served } from '../../host/windows/main/loopback.ts'
import { notice, writeText } from '../../host/platform/terminal.ts'

/**
 * [U18] Enter in the terminal prints a link for another browser.
 * Nothing where standard input is no terminal. Returns what ends it.
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
