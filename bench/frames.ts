/** Frame times of a session of 100,000 turns in serve mode: scrolling, zooming, panning, jumping, finding. */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { BROWSER_ARGS, ensureBrowser } from '../scripts/browser.ts'
import { p95 } from './measure.ts'
import type { Section } from './measure.ts'

const TURNS = Number(process.env['TURNSCOPE_BENCH_TURNS'] ?? 100_000)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_MS = 180_000

/** Small generator of its own, so that every run measures the same session. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const IS_TURN = /"kind":\s?"(?:user|tool_result)"/u
const IS_USER = /"kind":\s?"user"/u

/** Events of the sample session, recombined exchange by exchange until there are enough turns. */
async function writeLongSession(path: string): Promise<void> {
  const sample = readFileSync(join(ROOT, 'fixtures/sessions/st-003.jsonl'), 'utf8')
  const [head = '', ...lines] = sample.trimEnd().split('\n')
  const exchanges: string[][] = []
  for (const line of lines) {
    if (IS_USER.test(line) || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)?.push(line)
  }
  const sizes = exchanges.map((exchange) => exchange.filter((line) => IS_TURN.test(line)).length)
  const random = seeded(20260226)
  const out = createWriteStream(path)
  out.write(`${head}\n`)
  let turns = 0
  while (turns < TURNS) {
    const at = Math.floor(random() * exchanges.length)
    turns += sizes[at] ?? 0
    if (!out.write(`${(exchanges[at] ?? []).join('\n')}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

async function startServer(file: string, workspace: string) {
  const server = spawn(
    process.execPath,
    [join(ROOT, 'core/cli/main.ts'), 'serve', file, '--workspace', workspace, '--port', '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/u.exec(chunk.toString('utf8'))
      if (found) resolve(found[0])
    })
    server.once('exit', (code) => {
      reject(new Error(`serve ended with ${code ?? 'a signal'}`))
    })
  })
  return { url, stop: () => server.kill() }
}

interface Probe {
  benchFrames: number[]
  benchOn: boolean
  benchLong: number[]
}

/** Milliseconds between frames while `act` runs again and again for two seconds. */
async function frameTimes(page: Page, act: (step: number) => Promise<void>): Promise<number[]> {
  await page.waitForTimeout(300)
  await page.evaluate(() => {
    const probe = window as unknown as Probe
    probe.benchFrames = []
    probe.benchOn = true
    let last = performance.now()
    const tick = (now: number) => {
      probe.benchFrames.push(now - last)
      last = now
      if (probe.benchOn) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  const end = performance.now() + 2000
  for (let step = 0; performance.now() < end; step += 1) await act(step)
  return page.evaluate(() => {
    const probe = window as unknown as Probe
    probe.benchOn = false
    return probe.benchFrames.slice(1)
  })
}

async function overCentre(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
}

/** Tasks above 50 ms on the page's thread since it was loaded. */
async function watchLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const probe = window as unknown as Probe
    probe.benchLong = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) probe.benchLong.push(entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
}

type Frames = ReadonlyArray<readonly [name: string, times: number[]]>

/** A key again and again, as fast as a held key repeats (30 a second). */
function held(page: Page, ...keys: readonly string[]): (step: number) => Promise<void> {
  return async (step) => {
    await page.keyboard.press(keys[step % keys.length] ?? 'j')
    await page.waitForTimeout(33)
  }
}

async function measureFrames(page: Page): Promise<Frames> {
  await overCentre(page, '[role=grid]')
  const scroll = await frameTimes(page, () => page.mouse.wheel(0, 600))
  await overCentre(page, '[role=slider]')
  await page.keyboard.down('Control')
  const zoom = await frameTimes(page, (step) => page.mouse.wheel(0, step % 40 < 20 ? -120 : 120))
  for (let step = 0; step < 8; step += 1) await page.mouse.wheel(0, -120)
  await page.keyboard.up('Control')
  const pan = await frameTimes(page, (step) => page.mouse.wheel(step % 40 < 20 ? 240 : -240, 0))
  await page.mouse.move(2, 2)
  const next = await frameTimes(page, held(page, 'j'))
  const ends = await frameTimes(page, async (step) => {
    await page.keyboard.press(step % 2 === 0 ? 'End' : 'Home')
    await page.waitForTimeout(120)
  })
  const breaks = await frameTimes(page, held(page, 'b'))
  await page.keyboard.press('/')
  await page
    .getByRole('search')
    .getByRole('textbox')
    .or(page.getByRole('combobox'))
    .first()
    .fill('ownership')
  await page.waitForTimeout(3000)
  const find = await frameTimes(page, held(page, 'Enter'))
  await page.keyboard.press('Escape')
  return [
    ['scrolling the list', scroll],
    ['zooming the timeline', zoom],
    ['panning the timeline', pan],
    ['next turn, held (j)', next],
    ['to the ends and back (End, Home)', ends],
    ['next break, held (b)', breaks],
    ['next result of find, held (Enter)', find],
  ]
}

/** p95 frame times against those of an empty page in the same browser. */
export async function benchFrames(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const file = join(folder, 'long.jsonl')
  await writeLongSession(file)
  const browser = await chromium.launch({
    executablePath: ensureBrowser((line) => process.stderr.write(`${line}\n`)),
    args: [...BROWSER_ARGS],
  })
  const { url, stop } = await startServer(file, folder)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto('about:blank')
    const base = p95(await frameTimes(page, () => page.waitForTimeout(20)))
    await watchLongTasks(page)
    await page.goto(url)
    const slider = page.getByRole('slider', { name: 'Timeline of turns' })
    await slider.waitFor({ timeout: READY_MS })
    await page.waitForFunction(
      (turns) =>
        Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuemax')) >= turns,
      TURNS,
      { timeout: READY_MS },
    )
    await page.waitForTimeout(4000)
    const long = await page.evaluate(() => (window as unknown as Probe).benchLong)
    const frames = await measureFrames(page)
    return {
      title: `Frames with ${TURNS.toLocaleString('en')} turns (${(statSync(file).size / 1e6).toFixed(0)} MB) in serve mode`,
      head: ['', 'p95, ms', 'an empty page’s = 1', 'worst, ms'],
      rows: [
        ['empty page', base.toFixed(1), '1.00', ''],
        ...frames.map(([name, times]) => [
          `${name} (${times.length} frames)`,
          p95(times).toFixed(1),
          (p95(times) / base).toFixed(2),
          Math.max(...times).toFixed(0),
        ]),
      ],
      notes: [
        'a frame of a 60 Hz screen is 16.7 ms; Chromium draws in software here',
        `tasks above 50 ms on the page’s thread until the timeline was complete: ${long.length}, longest ${Math.max(0, ...long).toFixed(0)} ms`,
      ],
      failed: false,
    }
  } finally {
    await browser.close()
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
