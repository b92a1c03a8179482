/** Opening a session of 10,000 turns in serve mode: times until it can be read, and frame times. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { BROWSER_ARGS, ensureBrowser } from '../scripts/browser.ts'
import { median, p95 } from './measure.ts'
import type { Section } from './measure.ts'

const TURNS = 10_000
const ROUNDS = 3
const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** A frame of a 60 Hz screen, in milliseconds. */
const FRAME = 1000 / 60

/** Small generator of its own, so that every run measures the same session. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function isKind(line: string, ...kinds: readonly string[]): boolean {
  return kinds.some((kind) => new RegExp(`"kind":\\s?"${kind}"`, 'u').test(line))
}

/** Events of the sample session, recombined exchange by exchange until there are enough turns. */
function writeLongSession(path: string): void {
  const lines = readFileSync(join(ROOT, 'fixtures/sessions/st-003.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  const exchanges: string[][] = []
  for (const line of lines.slice(1)) {
    if (isKind(line, 'user') || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)?.push(line)
  }
  const random = seeded(20260226)
  const out = [lines[0] ?? '']
  let turns = 0
  while (turns < TURNS) {
    const exchange = exchanges[Math.floor(random() * exchanges.length)] ?? []
    out.push(...exchange)
    turns += exchange.filter((line) => isKind(line, 'user', 'tool_result')).length
  }
  writeFileSync(path, `${out.join('\n')}\n`)
}

async function startServer(
  file: string,
  workspace: string,
): Promise<{ url: string; stop: () => void }> {
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

/** Milliseconds between frames while `act` runs again and again for two seconds. */
async function frameTimes(page: Page, act: (step: number) => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { benchFrames: frames, benchOn: true })
    let last = performance.now()
    const tick = (now: number) => {
      frames.push(now - last)
      last = now
      if ((window as unknown as { benchOn: boolean }).benchOn) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  const end = performance.now() + 2000
  for (let step = 0; performance.now() < end; step += 1) await act(step)
  return page.evaluate(() => {
    Object.assign(window, { benchOn: false })
    return (window as unknown as { benchFrames: number[] }).benchFrames.slice(1)
  })
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

interface Timings {
  readonly firstTurn: number
  readonly timeline: number
}

async function openOnce(page: Page, url: string): Promise<Timings> {
  const start = performance.now()
  await page.goto(url)
  await page.locator('[role=grid] .row-body').first().waitFor()
  const firstTurn = performance.now() - start
  await page.getByRole('slider', { name: 'Timeline of turns' }).waitFor()
  return { firstTurn, timeline: performance.now() - start }
}

async function overCentre(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
}

async function measureFrames(page: Page): Promise<ReadonlyArray<readonly [string, number[]]>> {
  await overCentre(page, '[role=grid]')
  const scroll = await frameTimes(page, () => page.mouse.wheel(0, 600))
  await overCentre(page, '[role=slider]')
  const pan = await frameTimes(page, (step) => page.mouse.wheel(step % 40 < 20 ? 240 : -240, 0))
  await page.keyboard.down('Control')
  const zoom = await frameTimes(page, (step) => page.mouse.wheel(0, step % 40 < 20 ? -120 : 120))
  await page.keyboard.up('Control')
  return [
    ['scrolling the list', scroll],
    ['panning the timeline', pan],
    ['zooming the timeline', zoom],
  ]
}

export async function benchOpen(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const file = join(folder, 'long.jsonl')
  writeLongSession(file)
  const browser = await chromium.launch({
    executablePath: ensureBrowser(say),
    args: [...BROWSER_ARGS],
  })
  try {
    const timings: Timings[] = []
    let frames: ReadonlyArray<readonly [string, number[]]> = []
    let idle: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      if (round === 0) {
        await page.goto('about:blank')
        idle = await frameTimes(page, () => page.waitForTimeout(20))
      }
      const { url, stop } = await startServer(file, folder)
      try {
        timings.push(await openOnce(page, url))
        if (round === ROUNDS - 1) frames = await measureFrames(page)
      } finally {
        await page.close()
        stop()
      }
    }
    const base = p95(idle)
    return {
      title: `Opening ${TURNS.toLocaleString('en')} turns (${(statSync(file).size / 1e6).toFixed(1)} MB) in serve mode`,
      head: ['', 'ms', 'an empty page’s p95 frame = 1'],
      rows: [
        [
          'to the first readable turn, median of 3',
          median(timings.map((one) => one.firstTurn)).toFixed(0),
          '',
        ],
        [
          'to the full timeline, median of 3',
          median(timings.map((one) => one.timeline)).toFixed(0),
          '',
        ],
        ['p95 frame, empty page', base.toFixed(1), '1.00'],
        ...frames.map(([name, times]) => [
          `p95 frame, ${name} (${times.length} frames)`,
          p95(times).toFixed(1),
          (p95(times) / base).toFixed(2),
        ]),
      ],
      notes: [
        `a frame of a 60 Hz screen is ${FRAME.toFixed(1)} ms; Chromium draws in software here`,
        'times include loading the page and the first work of a server that has just started',
      ],
      failed: false,
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
