import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ROOT } from '../../scripts/build.ts'
import { type CheckName, CHECKS } from './checks.ts'
import { type Double, copyApp, launch, startDouble, waitUntil, withDouble } from './launch.ts'

/** The built main and preload against real Chromium. No Electron runs here; see docs/decisions/005-electron-double.md. */
const names = Object.keys(CHECKS) as CheckName[]

test.describe('electron double', () => {
  let double: Double

  test.beforeAll(async () => {
    double = await startDouble()
  })
  test.afterAll(async () => {
    await double.stop()
  })
  for (const name of names) {
    test(`electron double: ${name}`, () => CHECKS[name](double))
  }
  test('electron double: window place and workspace are on disk after the end', async () => {
    const workspace = join(double.userData, 'workspace')
    const state: unknown = JSON.parse(
      await readFile(join(workspace, '.turnscope/window.json'), 'utf8'),
    )
    expect(state).toEqual({ x: 0, y: 0, width: 1440, height: 900, maximized: false })
    const preset = 'profiles/presets/recommended.yaml'
    expect(await readFile(join(workspace, preset), 'utf8')).toBe(
      await readFile(join(ROOT, preset), 'utf8'),
    )
  })
})

test.describe('electron double, starts', () => {
  test('electron double: a file on the command line is opened by the first window', async () => {
    const file = join(ROOT, 'fixtures/sessions/lock-in.jsonl')
    await withDouble({ args: ['--some-switch', file] }, async (double) => {
      const isShown = `decodeURIComponent(location.hash).includes('lock-in.jsonl')`
      await waitUntil(() => double.evaluate<boolean>(isShown), double, 600)
      expect((await double.state()).recentDocuments).toEqual([file])
    })
  })

  test('electron double: a second instance opens no window and ends with 0', async () => {
    const double = await launch({ isFirstInstance: false })
    try {
      expect(await double.exited(), double.output()).toBe(0)
    } finally {
      await double.stop()
    }
  })

  test('electron double: from a clone it works in the clone, with developer tools', async () => {
    const appPath = await copyApp()
    try {
      await withDouble({ appPath, isPackaged: false }, async (double) => {
        expect(await double.state()).toMatchObject({ devTools: true, protocolClients: [] })
        await CHECKS['answers a call'](double)
        await CHECKS['keeps its window place and ends with 0 when the window closes'](double)
      })
      await readFile(join(appPath, '.turnscope/window.json'))
    } finally {
      await rm(appPath, { recursive: true, force: true })
    }
  })

  test('electron double: the file dialog answers the page; a file that was chosen and not opened is no recent document', async () => {
    const chosenFile = join(ROOT, 'package.json')
    await withDouble({ chosenFile }, async (double) => {
      const [answer] = await double.rpc('dialog.open', {})
      expect(answer).toMatchObject({ t: 'ok', v: { paths: [chosenFile] } })
      expect((await double.state()).recentDocuments).toEqual([])
    })
  })

  test('electron double: the folder dialog asks for a folder, which is no recent document', async () => {
    await withDouble({ chosenFolder: ROOT }, async (double) => {
      const [answer] = await double.rpc('dialog.folder', {})
      expect(answer).toMatchObject({ t: 'ok', v: { path: ROOT } })
      expect((await double.state()).recentDocuments).toEqual([])
    })
    await withDouble({}, async (double) => {
      const [answer] = await double.rpc('dialog.folder', {})
      expect(answer).toMatchObject({ t: 'ok', v: { path: null } })
    })
  })

  test('electron double: the save dialog answers with a path; a page suggests only a name', async () => {
    await withDouble({ saveFolder: ROOT }, async (double) => {
      const [answer] = await double.rpc('dialog.save', { suggested: '../../a session.jsonl' })
      expect(answer).toMatchObject({ t: 'ok', v: { path: join(ROOT, 'a session.jsonl') } })
    })
    await withDouble({}, async (double) => {
      const [answer] = await double.rpc('dialog.save', { suggested: 'a.jsonl' })
      expect(answer).toMatchObject({ t: 'ok', v: { path: null } })
    })
  })

  test('electron double: a damaged window state opens a window all the same', async () => {
    const userData = await mkdtemp(join(tmpdir(), 'turnscope-user-'))
    const folder = join(userData, 'workspace/.turnscope')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'window.json'), '{"x":')
    await withDouble({ userData }, async (double) => {
      await waitUntil(async () => (await double.state()).visible, double)
    })
    await rm(userData, { recursive: true, force: true })
  })
})
