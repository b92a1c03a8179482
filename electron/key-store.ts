import { readFile, rm } from 'node:fs/promises'
import type { SafeStorage } from 'electron'
import { writeFileAtomic } from '../core/host/platform/files/atomic-file.ts'
import type { KeyVault } from '../core/host/coach/main/keys.ts'

type Safe = Pick<
  SafeStorage,
  | 'isAsyncEncryptionAvailable'
  | 'encryptStringAsync'
  | 'decryptStringAsync'
  | 'getSelectedStorageBackend'
>

interface Keychain {
  readonly safeStorage: Safe
  /** File that holds the encrypted key. */
  readonly path: string
  readonly platform: NodeJS.Platform
}

/** Name of each system's store for the encryption key. */
const NAMES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Keychain',
  win32: 'Windows data protection',
}

/**
 * [V19] The coach's key, encrypted by the system's keychain. Refused if the system would store it in plain text (Linux
 * without a secret service); the environment then is the only option. Needs a ready app.
 */
export function createKeychainVault({ safeStorage, path, platform }: Keychain): KeyVault {
  const check = async () => {
    const backend = platform === 'linux' ? safeStorage.getSelectedStorageBackend() : null
    const where = backend ?? NAMES[platform] ?? 'keychain'
    if (backend === 'basic_text' || backend === 'unknown') {
      return { where, why: 'this system has no keychain: the key would lie in plain text' }
    }
    const available = await safeStorage.isAsyncEncryptionAvailable().catch(() => false)
    return { where, why: available ? null : 'the keychain of this system cannot be used now' }
  }
  return {
    from: 'keychain',
    check,
    read: async () => {
      const stored = await readFile(path).catch(() => null)
      if (stored === null) return null
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(stored)
        if (shouldReEncrypt) {
          await writeFileAtomic(path, await safeStorage.encryptStringAsync(result), {
            isPrivate: true,
          })
        }
        return result
      } catch {
        // Of another user or machine: the same as none.
        return null
      }
    },
    write: async (secret) => {
      if (secret === null) {
        await rm(path, { force: true })
        return
      }
      await writeFileAtomic(path, await safeStorage.encryptStringAsync(secret), { isPrivate: true })
    },
  }
}
