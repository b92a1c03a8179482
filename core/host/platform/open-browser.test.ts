import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { browserCommand, openBrowser } from './open-browser.ts'

const URL = 'http://127.0.0.1:4100/#token=abc'
const linux = { platform: 'linux', isTerminal: true } as const
const shown = { DISPLAY: ':0' }

describe('opening the browser', () => {
  it.each([
    ['without a terminal', { ...linux, isTerminal: false, env: shown }],
    ['without a display', { ...linux, env: {} }],
    ['with an empty display', { ...linux, env: { DISPLAY: '' } }],
    ['over SSH', { ...linux, env: { ...shown, SSH_CONNECTION: '1 2 3 4' } }],
    ['over SSH on macOS', { ...linux, platform: 'darwin', env: { SSH_TTY: '/dev/ttys1' } }],
    ['in CI', { ...linux, env: { ...shown, CI: 'true' } }],
    ['with BROWSER=none', { ...linux, env: { ...shown, BROWSER: 'none' } }],
    ['with BROWSER and no display', { ...linux, env: { BROWSER: 'firefox' } }],
    ['with BROWSER in CI', { ...linux, env: { ...shown, CI: '1', BROWSER: 'firefox' } }],
  ] as const)('[F199] %s nothing is opened', (_, around) =>
    expect(browserCommand(URL, around)).toBeNull(),
  )

  it.each([
    [{ ...linux, env: shown }, 'xdg-open', [URL]],
    [{ ...linux, env: { WAYLAND_DISPLAY: 'wayland-0', CI: 'false' } }, 'xdg-open', [URL]],
    [{ ...linux, env: { ...shown, BROWSER: 'firefox --new-tab' } }, 'firefox', ['--new-tab', URL]],
    [{ ...linux, env: { ...shown, BROWSER: 'w3m -o x=%s:lynx' } }, 'w3m', ['-o', `x=${URL}`]],
    [{ ...linux, env: { ...shown, BROWSER: 'a; id' } }, 'a;', ['id', URL]],
    [{ ...linux, platform: 'darwin', env: {} }, 'osascript', ['-']],
    [{ ...linux, platform: 'win32', env: {} }, 'rundll32', ['url.dll,FileProtocolHandler', URL]],
    [{ ...linux, platform: 'win32', env: { BROWSER: 'C:\\b x.exe' } }, 'C:\\b x.exe', [URL]],
  ] as const)('[F199] %j', (around, program, args) =>
    expect(browserCommand(URL, around)).toMatchObject({ program, args }),
  )

  it('[F199] on macOS the address is not an argument, which other accounts could read', () => {
    const command = browserCommand(URL, { platform: 'darwin', isTerminal: true, env: {} })
    expect(command?.args.join()).not.toContain('token')
    expect(command?.input).toBe(`open location "${URL}"\n`)
  })

  it.skipIf(process.platform === 'win32')(
    '[F199] the program runs; one that is missing is reported',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'turnscope-browser-'))
      const program = join(folder, 'browser')
      writeFileSync(
        program,
        `#!/bin/sh\necho "$1" > "${folder}/opened.part"\nmv "${folder}/opened.part" "${folder}/opened"\n`,
      )
      chmodSync(program, 0o755)
      const env = { ...shown, BROWSER: program }
      const command = browserCommand(URL, { ...linux, env })
      if (command === null) throw new Error('no command')
      expect(await openBrowser(command)).toBeNull()
      const opened = () => {
        try {
          return readFileSync(join(folder, 'opened'), 'utf8')
        } catch {
          return null
        }
      }
      await expect.poll(opened, { timeout: 20_000 }).toBe(`${URL}\n`)
      expect(await openBrowser({ ...command, program: join(folder, 'missing') })).toContain(
        'ENOENT',
      )
    },
  )
})
