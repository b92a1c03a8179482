import type { Served } from '../host/main/loopback.ts'
import { notice, writeText } from '../host/shared/terminal.ts'

/**
 * [U18] Enter in the terminal prints an address for another browser: whoever can type there may let one in.
 * Nothing where standard input is no terminal. Returns what ends it.
 */
export function printLinksOnEnter(
  { newUrl }: Pick<Served, 'newUrl'>,
  input: NodeJS.ReadStream = process.stdin,
): () => void {
  if (!input.isTTY) return () => undefined
  const onLine = () => void writeText('stdout', `${newUrl()}\n`)
  input.on('data', onLine)
  notice('the address lets one browser in, once; press Enter for another one')
  return () => {
    input.off('data', onLine)
    input.pause()
  }
}
