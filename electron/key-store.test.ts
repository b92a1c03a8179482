import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCoachKeys } from '../core/host/coach/main/keys.ts'
import { settingsFor } from '../fixtures/model-servers.ts'
import { createKeychainVault } from './key-store.ts'
import { openedGate } from '../fixtures/trust.ts'

type Backend = ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>

/** A keychain that reverses the text, so that the stored text differs from the given one. */
function keychain(backend: Backend, available = true) {
  const path = join(mkdtempSync(join(tmpdir(), 'turnscope-key-')), 'coach', 'key.bin')
  const turn = (text: string) => Buffer.from(text).reverse().toString()
  const safeStorage = {
    isAsyncEncryptionAvailable: () => Promise.resolve(available),
    encryptStringAsync: (text: string) => Promise.resolve(Buffer.from(turn(text))),
    decryptStringAsync: (data: Buffer) =>
      Promise.resolve({ result: turn(data.toString()), shouldReEncrypt: false }),
    getSelectedStorageBackend: () => backend,
  }
  return { path, vault: createKeychainVault({ safeStorage, path, platform: 'linux' }) }
}

const SETTINGS = settingsFor('anthropic', 'https://api.anthropic.com/v1')

describe('keychain', () => {
  it('[V19] keeps a key encrypted, gives it back and forgets it', async () => {
    const { vault, path } = keychain('gnome_libsecret')
    const keys = createCoachKeys(vault, {}, openedGate())
    const state = await keys.set(SETTINGS, 'sk-secret-1')
    expect(state).toMatchObject({ from: 'keychain', where: 'gnome_libsecret', canStore: true })
    expect(readFileSync(path, 'utf8')).not.toContain('sk-secret-1')
    expect(await keys.keyFor(SETTINGS)).toBe('sk-secret-1')
    expect(await keys.set(SETTINGS, null)).toMatchObject({ from: 'none' })
    expect(existsSync(path)).toBe(false)
  })

  it.each<[Backend, boolean]>([
    ['basic_text', true],
    ['unknown', true],
    ['kwallet6', false],
  ])('[V19] refuses %s (available: %s)', async (backend, available) => {
    const { vault, path } = keychain(backend, available)
    const keys = createCoachKeys(vault, {}, openedGate())
    await expect(keys.set(SETTINGS, 'sk-secret-1')).rejects.toThrow('ANTHROPIC_API_KEY')
    expect(await keys.state(SETTINGS)).toMatchObject({ from: 'none', canStore: false })
    expect(existsSync(path)).toBe(false)
  })
})
