import { spawn } from 'node:child_process'
import type { Env } from './trust/place.ts'

/** A program that opens an address. */
interface BrowserCommand {
  readonly program: string
  readonly args: readonly string[]
  /** For standard input; empty when the address is an argument. */
  readonly input: string
}

interface Around {
  readonly env: Env
  readonly platform: NodeJS.Platform
  /** Whether standard output is a terminal: then a user is there. */
  readonly isTerminal: boolean
}

/** Environment variables of a session on another machine, which has its browser elsewhere. */
const isRemote = (env: Env): boolean =>
  [env['SSH_CONNECTION'], env['SSH_CLIENT'], env['SSH_TTY']].some(isSet)

/** Systems that show windows without a variable for the display. */
const WITH_DISPLAY: ReadonlySet<NodeJS.Platform> = new Set(['darwin', 'win32'])

/**
 * [F199] The program that opens a URL in the user's browser. Null without a terminal or a display, over SSH, in CI, and
 * with `BROWSER=none`. `BROWSER` is a program with arguments. `%s` in it is replaced by the URL. If it has several
 * entries separated by colons, the first counts. No shell is involved.
 */
export function browserCommand(url: string, around: Around): BrowserCommand | null {
  const { env, platform, isTerminal } = around
  const chosen = env['BROWSER']?.trim() ?? ''
  if (!isTerminal || chosen.toLowerCase() === 'none') return null
  if (!['', '0', 'false'].includes(env['CI'] ?? '')) return null
  if (isRemote(env)) return null
  const hasDisplay = isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
  if (!WITH_DISPLAY.has(platform) && !hasDisplay) return null
  if (chosen !== '') return chosenCommand(chosen, url, platform)
  // An address on standard input is not in the list of processes, which other accounts can read.
  if (platform === 'darwin')
    return { program: 'osascript', args: ['-'], input: `open location "${url}"\n` }
  if (platform === 'win32')
    return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', url], input: '' }
  return { program: 'xdg-open', args: [url], input: '' }
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

function chosenCommand(
  chosen: string,
  url: string,
  platform: NodeJS.Platform,
): BrowserCommand | null {
  // A path of Windows has colons and blanks, so the whole value is one program there.
  const first =
    platform === 'win32' ? chosen : (chosen.split(':').find((part) => part !== '') ?? '')
  const words = platform === 'win32' ? [first] : first.split(/\s+/u).filter((word) => word !== '')
  const [program, ...args] = words.map((word) => word.replaceAll('%s', url))
  if (program === undefined) return null
  return { program, args: first.includes('%s') ? args : [...args, url], input: '' }
}

/** Starts the program, which outlives this one. Resolves to why it failed; null when it started. */
export function openBrowser({ program, args, input }: BrowserCommand): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.once('error', (error) => resolve(error.message))
    child.once('spawn', () => {
      child.unref()
      resolve(null)
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
