import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Updates } from '../../core/host/updates/main/updates.ts'
import { type InstallPlace, ownerOf } from './owner.ts'
import { offByPolicy, policyPath } from './policy.ts'

/** The part of electron-builder's `app-update.yml` that is used here: a feed of plain files. */
const Feed = z.looseObject({ provider: z.literal('generic'), url: z.url() })

interface Around extends Omit<InstallPlace, 'packageType'> {
  readonly isPackaged: boolean
  /** Folder beside the archive. */
  readonly resourcesPath: string
}

const off = (why: string): Updates => {
  const never = () => Promise.reject(new Error(why))
  return { off: why, address: null, look: never, download: never, install: never }
}

/**
 * [F180] [F181] Updates of this install, or the reason they are unavailable. The library is loaded only if they are
 * available. Sends no request.
 */
export async function openUpdates(around: Around): Promise<Updates> {
  const why = reasonAgainst(around)
  if (why !== null) return off(why)
  const feed = feedIn(textIn(join(around.resourcesPath, 'app-update.yml')))
  if (feed === null) return off('this build names no address for updates')
  const { createUpdates } = await import('./updates.ts')
  const { MacUpdater, NsisUpdater } = await import('electron-updater')
  const { WholeAppImageUpdater } = await import('./whole-app-image.ts')
  const kinds = {
    darwin: ['.zip', () => new MacUpdater()],
    win32: ['.exe', () => new NsisUpdater()],
    linux: ['.AppImage', () => new WholeAppImageUpdater()],
  } as const
  const kind = Object.entries(kinds).find(([name]) => name === around.platform)?.[1]
  if (kind === undefined) return off('there are no updates for this system')
  const [extension, create] = kind
  const updater = create()
  return createUpdates({
    updater,
    address: feed,
    extension,
    replace: () => updater.quitAndInstall(true, true),
  })
}

function reasonAgainst(around: Around): string | null {
  if (!around.isPackaged) return 'this is a clone, which git updates'
  const path = policyPath(around)
  const policy = offByPolicy(textIn(path), path)
  if (policy !== null) return policy
  const packageType = textIn(join(around.resourcesPath, 'package-type'))?.trim() ?? null
  const owner = ownerOf({ ...around, packageType })
  if (owner !== null) return `it was installed by ${owner}, which updates it`
  if (around.platform !== 'linux') return null
  const image = around.env['APPIMAGE']
  if (image === undefined) return 'it was not installed as an AppImage'
  // Replacement would need another account's rights, which are never requested.
  return mayReplace(image) ? null : `its file cannot be replaced by you (${image})`
}

function mayReplace(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Encrypted, or on this machine. */
function feedIn(text: string | null): string | null {
  if (text === null) return null
  try {
    const { url } = Feed.parse(parse(text))
    const { protocol, hostname } = new URL(url)
    const isHere = hostname === '127.0.0.1' || hostname === 'localhost'
    return protocol === 'https:' || (protocol === 'http:' && isHere) ? url : null
  } catch {
    return null
  }
}

function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? null : ''
  }
}
