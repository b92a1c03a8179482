import { browserCommand, openBrowser } from '../../host/platform/open-browser.ts'
import { notice } from '../../host/platform/terminal.ts'

/**
 * [F199] Opens the printed address in the user's browser, when there is one to open it in. The address stays the way
 * in when that fails, which is reported.
 */
export async function openWindow(url: string): Promise<void> {
  const command = browserCommand(url, {
    env: process.env,
    platform: process.platform,
    isTerminal: process.stdout.isTTY,
  })
  if (command === null) return
  const why = await openBrowser(command)
  if (why !== null) notice(`no browser was opened (${why}): open the address above yourself`)
}
