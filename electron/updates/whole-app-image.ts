import { spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  fsyncSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { AppImageUpdater } from 'electron-updater'
import type { InstallOptions } from 'electron-updater/out/BaseUpdater'

/**
 * [F184] Puts the new AppImage in the place of the old one in one step: the library removes the old file before it
 * moves the new one, and a program that is killed in between is gone. The file keeps its name, so that what
 * starts it still finds it.
 */
export class WholeAppImageUpdater extends AppImageUpdater {
  protected override doInstall({ isForceRunAfter }: InstallOptions): boolean {
    const place = process.env['APPIMAGE']
    const { installerPath } = this
    if (place === undefined || !isAbsolute(place) || installerPath === null) {
      this.dispatchError(new Error('it is not known which file is to be replaced'))
      return false
    }
    putInPlace(installerPath, place)
    if (isForceRunAfter) {
      const child = spawn(place, [], { detached: true, stdio: 'ignore' })
      child.on('error', (error) => this.dispatchError(error))
      child.unref()
    }
    return true
  }
}

/** Copied beside it first, because a rename works within one file system only. */
function putInPlace(from: string, place: string): void {
  const beside = join(dirname(place), `.${basename(place)}.new`)
  try {
    copyFileSync(from, beside)
    chmodSync(beside, 0o755)
    const file = openSync(beside, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, place)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
