import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Result, err, ok } from '../core/engine/result.ts'
import { ROOT } from './build.ts'

const PACKAGE = join(ROOT, 'node_modules/electron')
/** A host that does not answer a small request in this time (ms) will not send 100 MB either. */
const PROBE_MS = 8_000
const DOWNLOAD_MS = 10 * 60_000

/** The Electron executable, or null. Never `require('electron')`, because that starts a download. */
function installedBinary(): string | null {
  const pathFile = join(PACKAGE, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron'
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(PACKAGE, 'dist')
  const path = join(folder, name)
  return existsSync(path) ? path : null
}

/** The reason that a desktop window cannot open on this machine, even if Electron is installed; null if it can. */
export function desktopProblem(machine: {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  readonly env: NodeJS.ProcessEnv
}): string | null {
  if (machine.platform !== 'linux') return null
  const { DISPLAY = '', WAYLAND_DISPLAY = '' } = machine.env
  if (DISPLAY === '' && WAYLAND_DISPLAY === '') return 'there is no display'
  return machine.isRoot ? 'its sandbox does not work for root' : null
}

/**
 * The executable that opens the desktop window, downloaded once if it is missing. The error is one phrase with the
 * reason.
 */
export async function findElectron(say: (line: string) => void): Promise<Result<string, string>> {
  const { platform, env } = process
  const problem = desktopProblem({ platform, env, isRoot: process.getuid?.() === 0 })
  if (problem !== null) return err(problem)
  const installed = installedBinary()
  if (installed !== null) return ok(installed)
  const unreachable = await probeDownload()
  if (unreachable !== null) return err(`its binary cannot be fetched (${unreachable})`)
  say('Fetching Electron, once (about 120 MB)…')
  const { status, stderr, error } = spawnSync(process.execPath, [join(PACKAGE, 'install.js')], {
    encoding: 'utf8',
    timeout: DOWNLOAD_MS,
  })
  const fetched = installedBinary()
  if (status === 0 && fetched !== null) return ok(fetched)
  const reason = error?.message ?? stderr.trim().split('\n')[0] ?? ''
  return err(`its binary cannot be fetched (${reason === '' ? 'the download failed' : reason})`)
}

/** Requests a small file from the download host, so that an offline machine gets its error immediately. */
async function probeDownload(): Promise<string | null> {
  // With a proxy or a mirror, the installer finds the address itself.
  const env = process.env
  if (
    env['ELECTRON_GET_USE_PROXY'] ??
    env['ELECTRON_MIRROR'] ??
    env['npm_config_electron_mirror']
  ) {
    return null
  }
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string
  }
  const url = `https://github.com/electron/electron/releases/download/v${version}/SHASUMS256.txt`
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const { status } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal })
    return status < 400 ? null : `the download host answered ${status}`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    if (cause instanceof DOMException) return 'the download host does not answer'
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no network'
  }
}
