import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type AppUpdater, CancellationToken, type UpdateInfo } from 'electron-updater'
import type { FoundUpdate } from '../../core/wire/updates.ts'
import type { Updates } from '../../core/host/updates/main/updates.ts'

interface Around {
  readonly updater: AppUpdater
  readonly address: string
  /** End of the name of the file that this system installs: `.AppImage`, `.exe`, `.zip`. */
  readonly extension: string
  /** Replaces the application and ends it. */
  readonly replace: () => void
}

/**
 * [F182] Wraps the library for electron-builder's feeds and limits it to the operator's decisions. It downloads nothing
 * automatically, installs nothing on quit, and never downgrades. It requests no administrator rights and sends no
 * operator data to the feed.
 */
export function createUpdates({ updater, address, extension, replace }: Around): Updates {
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = false
  updater.disableWebInstaller = true
  updater.logger = null
  // The library would otherwise send a unique number for each installation.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  // Failures are answered by the promises; without a listener they would end the process.
  updater.on('error', () => undefined)
  let found: FoundUpdate | null = null
  let path: string | null = null

  return {
    off: null,
    address,
    look: async () => {
      const result = await updater.checkForUpdates()
      found = result?.isUpdateAvailable === true ? foundIn(result.updateInfo, extension) : null
      return found
    },
    download: async (report, signal) => {
      const token = new CancellationToken()
      const cancel = () => token.cancel()
      const onProgress = (now: { readonly transferred: number; readonly total: number }) =>
        report(now.transferred, now.total)
      signal.addEventListener('abort', cancel)
      updater.on('download-progress', onProgress)
      try {
        const [file] = await updater.downloadUpdate(token)
        await check(file, found)
        path = file ?? null
      } finally {
        updater.off('download-progress', onProgress)
        signal.removeEventListener('abort', cancel)
      }
    },
    install: async () => {
      // Days may have gone by since the download.
      await check(path ?? undefined, found)
      replace()
    },
  }
}

/** Throws if the feed has no file for this system, or one that needs an administrator. */
function foundIn(info: UpdateInfo, extension: string): FoundUpdate {
  const file = info.files.find(({ url }) => url.toLowerCase().endsWith(extension.toLowerCase()))
  if (file === undefined) throw new Error(`version ${info.version} has no file for this system`)
  if (file.isAdminRightsRequired === true)
    throw new Error(`version ${info.version} can only be installed by an administrator`)
  return {
    version: info.version,
    notes: notesOf(info.releaseNotes),
    date: info.releaseDate,
    file: file.url,
    bytes: file.size ?? null,
    sha512: Buffer.from(file.sha512, 'base64').toString('hex'),
  }
}

/** UTF-16 units of notes that are shown. */
const MOST_NOTES = 20_000

function notesOf(notes: UpdateInfo['releaseNotes']): string {
  const text = Array.isArray(notes)
    ? notes.map(({ version, note }) => `${version}\n${note ?? ''}`).join('\n\n')
    : (notes ?? '')
  return text.slice(0, MOST_NOTES)
}

/** [F183] Throws if the file is not the one shown to the operator. */
async function check(file: string | undefined, found: FoundUpdate | null): Promise<void> {
  if (file === undefined || found === null) throw new Error('no update was downloaded')
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== found.sha512)
    throw new Error(`the file is not the one that was announced: its SHA-512 is another (${file})`)
}
