import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'

/** Files that the development server reads. */
const COPIED = [
  'addons',
  'bin',
  'core',
  'fixtures',
  'profiles',
  'prompts',
  'renderer',
  'schemas',
  'tours',
  'scripts/build',
  'scripts/build.ts',
  'scripts/dev',
  'scripts/dev.ts',
  'scripts/model',
  'scripts/packages.ts',
  'scripts/model-files.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
]

let copy = ''
let server: ChildProcess | undefined

/** Sources are edited in a copy, never in the repository. */
test.beforeAll(() => {
  mkdirSync(join(ROOT, 'out'), { recursive: true })
  copy = mkdtempSync(join(ROOT, 'out/dev-'))
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})
test.afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(copy, { recursive: true, force: true })
})

function startDev(): Promise<string> {
  const session = join(copy, 'fixtures/sessions/st-003.jsonl')
  const workspace = join(copy, 'workspace')
  mkdirSync(workspace)
  const args = [join(copy, 'scripts/dev.ts'), session, '--workspace', workspace]
  const started = spawn(process.execPath, args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      XDG_CONFIG_HOME: workspace,
      XDG_CACHE_HOME: workspace,
    },
  })
  server = started
  return new Promise((resolve, reject) => {
    let text = ''
    started.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const url = /^http\S+$/m.exec(text)?.[0]
      if (url !== undefined) resolve(url)
    })
    started.once('exit', (code) => reject(new Error(`ended with ${code ?? 'a signal'}`)))
  })
}

function edit(path: string, from: string, to: string): number {
  const file = join(copy, path)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
  return performance.now()
}

test('[F212] a changed component and a changed rule appear, with the same turn selected', async ({
  page,
}) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/u.test(message.text())) refused.push(message.text())
  })
  await page.goto(await startDev())
  const status = page.locator('.status')
  await expect(status).toContainText('replayed in')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(status).toContainText('turn 3 of')
  await expect(page.locator('.verdict-title')).toBeVisible()
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  const isSamePage = () => page.evaluate(() => 'isSamePage' in globalThis)

  const title = '<Name text={trace.primary.domain} className="truncate" />'
  const component = edit('renderer/features/decision/decision.tsx', title, `${title} edited`)
  await expect(page.locator('.verdict-title')).toContainText('edited')
  console.log(`a component: ${Math.round(performance.now() - component)} ms`)
  await expect(status).toContainText('turn 3 of')
  expect(await isSamePage()).toBe(true)

  const decided = 'return { event, rule, primary, secondary, signature, resisted: null }'
  const changed = decided.replace('primary', "primary: { ...primary, domain: 'made-up' }")
  const rule = edit('core/engine/belief/momentum.ts', decided, changed)
  await expect(page.locator('.verdict-title')).toContainText('made-up')
  console.log(`a rule of the engine: ${Math.round(performance.now() - rule)} ms`)
  await expect(status).toContainText('turn 3 of')
  expect(refused).toEqual([])
})
