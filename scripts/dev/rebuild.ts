/**
 * `npm run dev:page -- FILE [OUT.html]`: writes the exported page of a transcript, and again after each change of the
 * sources. `npm run dev:desktop [-- FILE…]`: opens the desktop app, and again after each change (F212). Both build the
 * parts that a change made stale; the page is reloaded by hand.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { basename, extname, join, resolve } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { writeText } from '../../core/host/platform/terminal.ts'
import { buildParts, ROOT } from '../build.ts'
import type { Part } from '../build/parts.ts'
import { findElectron } from '../electron-binary.ts'
import { watchSources } from './watch-sources.ts'

const PAGE_PARTS: readonly Part[] = ['cli', 'page-window', 'page-host', 'page-boot']
const DESKTOP_PARTS: readonly Part[] = ['renderer', 'desktop', 'preload']
const FOLDERS = ['addons', 'core', 'electron', 'page', 'renderer'] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { desktop: { type: 'boolean', default: false } },
})

/** Returns whether the parts were built. Errors of the build are printed; the next change tries again. */
async function build(parts: readonly Part[]): Promise<boolean> {
  const built = await buildParts(parts, () => undefined)
  if (!built.ok)
    say(`${stripVTControlCharacters(built.log)}\nThe build failed. Waiting for changes.`)
  return built.ok
}

function say(line: string): void {
  writeText('stderr', `${line}\n`)
}

async function developPage(file: string, page: string): Promise<void> {
  const write = async (changed: string | null) => {
    const startedAt = performance.now()
    if (!(await build(PAGE_PARTS))) return
    const args = [join(ROOT, 'bin/turnscope.cjs'), 'export', file, '--html', page]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const code = await new Promise<number | null>((settle) => child.once('exit', settle))
    const ms = Math.round(performance.now() - startedAt)
    const why = changed === null ? '' : `${changed} changed: `
    if (code === 0) say(`${why}wrote ${page} in ${ms} ms. Reload it in the browser.`)
  }
  await write(null)
  watchSources(FOLDERS, write)
}

async function developDesktop(files: readonly string[]): Promise<void> {
  const electron = await findElectron(say)
  if (!electron.ok) {
    say(
      `Electron cannot open a window here: ${electron.error}. Use npm run dev, which serves to your browser.`,
    )
    process.exitCode = 1
    return
  }
  let app: ChildProcess | null = null
  const open = async (changed: string | null) => {
    if (!(await build(DESKTOP_PARTS))) return
    if (changed !== null) say(`${changed} changed: the desktop app starts again.`)
    app?.kill()
    app = spawn(electron.value, [ROOT, ...files], { stdio: 'inherit' })
  }
  await open(null)
  watchSources(FOLDERS, open)
}

const [file, page] = positionals
if (values.desktop) await developDesktop(positionals.map((each) => resolve(each)))
else if (file === undefined) {
  say('usage: npm run dev:page -- FILE [OUT.html]')
  process.exitCode = 2
} else {
  const name = basename(file, extname(file))
  await developPage(resolve(file), resolve(page ?? join(ROOT, 'out', `${name}.html`)))
}
