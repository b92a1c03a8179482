import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Paths at which distributions install Chromium; the first is Debian's binary without its shell wrapper. */
const KNOWN_PATHS = [
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/**
 * Features that tests do without: those that Playwright 1.65 turns off, because the last such switch is the one that
 * counts, and the lists below the address bar. Chromium would render a hidden page for each of these with every new
 * context (docs/decisions/002-end-to-end-cost.md).
 */
const WITHOUT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/**
 * Arguments for every Chromium that tests start: no network traffic by the browser itself, and the same pixels on every
 * machine. They work for root too (Playwright adds `--no-sandbox` itself).
 */
export const BROWSER_ARGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  `--disable-features=${WITHOUT.join(',')}`,
] as const

/** Path of a Chromium that starts, or null. `CHROMIUM` in the environment wins and has to work. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | null {
  const wanted = env['CHROMIUM']
  if (wanted !== undefined && wanted !== '') {
    if (starts(wanted)) return wanted
    throw new Error(
      `CHROMIUM is ${wanted}, which does not start. Unset it or name another browser.`,
    )
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const candidates = [...KNOWN_PATHS, ...onPath, chromium.executablePath()]
  return [...new Set(candidates)].find((path) => existsSync(path) && starts(path)) ?? null
}

/** Ubuntu's `chromium-browser` may be a stub that only requests a snap, so the file's existence is not enough. */
function starts(path: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /\d+\.\d+\.\d+/u.test(stdout)
}

interface Attempt {
  readonly name: string
  readonly steps: ReadonlyArray<readonly [command: string, ...args: string[]]>
  readonly isPossible: boolean
}

function attempts(): readonly Attempt[] {
  const isRoot = process.getuid?.() === 0
  const hasApt = existsSync('/usr/bin/apt-get')
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  return [
    {
      name: 'the system package "chromium"',
      isPossible: isRoot && hasApt,
      steps: [
        ['apt-get', 'update', '-qq'],
        ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
      ],
    },
    {
      name: "Playwright's Chromium",
      isPossible: true,
      steps: [[npx, 'playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium']],
    },
  ]
}

/**
 * A Chromium for the tests, installed if none exists: by apt as root, else Playwright's own. Throws with instructions
 * if neither works; `say` gets one line per attempt.
 */
export function ensureBrowser(say: (line: string) => void): string {
  const found = findBrowser()
  if (found !== null) return found
  const failures: string[] = []
  for (const { name, steps, isPossible } of attempts()) {
    if (!isPossible) continue
    say(`no Chromium here: installing ${name}`)
    const failure = runAll(steps)
    const installed = findBrowser()
    if (installed !== null) return installed
    failures.push(`${name}: ${failure ?? 'installed, but it does not start'}`)
  }
  throw new Error(
    `no Chromium for the end-to-end tests.\n  ${failures.join('\n  ')}\n` +
      'Install Chromium or Chrome by hand and set CHROMIUM to its path, or run `npm test -- --fast`.',
  )
}

/** Runs the steps until one fails; the failure as text, or null. */
function runAll(steps: Attempt['steps']): string | null {
  for (const [command, ...args] of steps) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', env })
    if (status !== 0) {
      const reason = error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')
      return `${command} failed (${reason})`
    }
  }
  return null
}
