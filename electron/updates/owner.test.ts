import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openUpdates } from './open.ts'
import { type InstallPlace, ownerOf } from './owner.ts'
import { offByPolicy, policyPath } from './policy.ts'

const place = (more: Partial<InstallPlace>): InstallPlace => ({
  platform: 'linux',
  env: {},
  execPath: '/opt/Turnscope/turnscope',
  packageType: null,
  isWindowsStore: false,
  ...more,
})

describe('who updates an install', () => {
  it.each([
    [{ packageType: 'deb' }, 'apt'],
    [{ packageType: 'rpm' }, 'the system’s package manager'],
    [{ env: { SNAP: '/snap/turnscope/1' } }, 'snap'],
    [{ env: { FLATPAK_ID: 'dev.turnscope' } }, 'flatpak'],
    [{ execPath: '/nix/store/abc-turnscope/bin/turnscope' }, 'nix'],
    [{ execPath: '/opt/homebrew/Caskroom/turnscope/1.0/Turnscope.app' }, 'Homebrew'],
    [{ execPath: String.raw`C:\Users\me\scoop\apps\turnscope\current\Turnscope.exe` }, 'Scoop'],
    [{ execPath: String.raw`C:\ProgramData\chocolatey\lib\turnscope\Turnscope.exe` }, 'Chocolatey'],
    [{ isWindowsStore: true }, 'the Microsoft Store'],
    [{}, null],
  ] as const)('[F180] %j: %s', (more, owner) => {
    expect(ownerOf(place(more))).toBe(owner)
  })

  it('[F181] a policy switches updates off; one that cannot be read does too', () => {
    expect(offByPolicy(null, '/p')).toBeNull()
    expect(offByPolicy('{"updates":"ask","other":1}', '/p')).toBeNull()
    expect(offByPolicy('{"updates":"off"}', '/p')).toContain('switched off by the policy')
    for (const text of ['', '{', '{"updates":true}', '{}'])
      expect(offByPolicy(text, '/p')).toContain('cannot be read')
    expect(policyPath(place({}))).toBe('/etc/turnscope/policy.json')
    expect(policyPath(place({ platform: 'win32', env: {} }))).toContain('ProgramData')
  })
})

describe.skipIf(process.platform !== 'linux')('updates of an install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-install-'))
  const image = join(folder, 'Turnscope.AppImage')
  writeFileSync(image, '')
  const install = (more: object = {}) => ({
    platform: 'linux' as const,
    env: { APPIMAGE: image } as Record<string, string>,
    execPath: '/tmp/.mount/turnscope',
    isPackaged: true,
    resourcesPath: folder,
    isWindowsStore: false,
    ...more,
  })
  const feed = (text: string) => writeFileSync(join(folder, 'app-update.yml'), text)
  const offOf = async (more: object = {}) => (await openUpdates(install(more))).off

  it('[F180] [F181] they are off, with a reason, where they could not be right', async () => {
    expect(await offOf({ isPackaged: false })).toContain('a clone')
    expect(await offOf({ env: {} })).toContain('not installed as an AppImage')
    rmSync(join(folder, 'app-update.yml'), { force: true })
    expect(await offOf()).toContain('no address')
    for (const text of [
      'provider: generic\nurl: http://updates.example/',
      'provider: generic\nurl: ftp://updates.example/',
      'provider: github\nowner: x',
      '{',
    ]) {
      feed(text)
      expect(await offOf()).toContain('no address')
    }
    writeFileSync(join(folder, 'package-type'), 'deb\n')
    expect(await offOf()).toBe('it was installed by apt, which updates it')
    rmSync(join(folder, 'package-type'))
  })

  it.skipIf(process.getuid?.() === 0)(
    '[F180] a file that cannot be replaced is left alone',
    async () => {
      chmodSync(image, 0o444)
      expect(await offOf()).toContain('cannot be replaced by you')
      chmodSync(image, 0o755)
    },
  )
})
