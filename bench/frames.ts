/** Frame times of a session of 100,000 turns in serve mode: scrolling, zooming, panning, jumping, finding. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { writeLongSession } from './long-session.ts'
import { p95, type Section } from './measure.ts'
import { startServer } from './server.ts'
import { frameTimes, launchBrowser, overCentre, plainRows, tasksDuring } from './window.ts'

const TURNS = Number(process.env['TURNSCOPE_BENCH_TURNS'] ?? 100_000)
const READY_MS = 180_000

interface Frames {
  readonly name: string
  readonly times: readonly number[]
  /** Longest task of the page's thread meanwhile, in milliseconds of processor time. */
  readonly longest: number
  /** Share of the time in which the page's thread worked. */
  readonly busy: number
}

/** A key again and again, as fast as a held key repeats (30 a second). */
function held(page: Page, ...keys: readonly string[]): (step: number) => Promise<void> {
  return async (step) => {
    await page.keyboard.press(keys[step % keys.length] ?? 'j')
    await page.waitForTimeout(33)
  }
}

async function measureFrames(page: Page): Promise<readonly Frames[]> {
  const all: Frames[] = []
  const during = async (name: string, act: (step: number) => Promise<void>) => {
    const { result, tasks, busy } = await tasksDuring(page, () => frameTimes(page, act))
    all.push({ name, times: result, longest: tasks[0]?.cpu ?? 0, busy })
  }
  await overCentre(page, '[role=grid]')
  await during('scrolling the list', () => page.mouse.wheel(0, 600))
  await overCentre(page, '[role=slider]')
  await page.keyboard.down('Control')
  await during('zooming the timeline', (step) => page.mouse.wheel(0, step % 40 < 20 ? -120 : 120))
  for (let step = 0; step < 8; step += 1) await page.mouse.wheel(0, -120)
  await page.keyboard.up('Control')
  await during('panning the timeline', (step) => page.mouse.wheel(step % 40 < 20 ? 240 : -240, 0))
  await page.mouse.move(2, 2)
  await during('next turn, held (j)', held(page, 'j'))
  await during('to the ends and back (End, Home)', async (step) => {
    await page.keyboard.press(step % 2 === 0 ? 'End' : 'Home')
    await page.waitForTimeout(120)
  })
  // No further break exists after the last one.
  await page.keyboard.press('Home')
  await during('next break, held (b)', held(page, 'b'))
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Find in this session' }).fill('ownership')
  await page.waitForTimeout(3000)
  await during('next result of find, held (Enter)', held(page, 'Enter'))
  await page.keyboard.press('Escape')
  return all
}

async function openWhole(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('slider', { name: 'Timeline of turns' }).waitFor({ timeout: READY_MS })
  await page.waitForFunction(
    (turns) =>
      Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuemax')) >= turns,
    TURNS,
    { timeout: READY_MS },
  )
  await page.waitForTimeout(4000)
}

/** p95 frame times against those of an empty page in the same browser. */
export async function benchFrames(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const file = join(folder, 'long.jsonl')
  await writeLongSession(file, TURNS)
  const browser = await launchBrowser()
  const server = await startServer(folder, file)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto('about:blank')
    const base = p95(await frameTimes(page, () => page.waitForTimeout(20)))
    const plain = p95(await frameTimes(page, await plainRows(page)))
    await openWhole(page, server.url)
    const frames = await measureFrames(page)
    return {
      title: `Frames with ${TURNS.toLocaleString('en')} turns (${(statSync(file).size / 1e6).toFixed(0)} MB) in serve mode`,
      head: [
        '',
        'p95, ms',
        'an empty page’s = 1',
        'worst, ms',
        'longest task, processor ms',
        'thread at work',
      ],
      rows: [
        ['empty page', base.toFixed(1), '1.00', '', '', ''],
        [
          'plain page, 20 rows of text exchanged 30 times a second',
          plain.toFixed(1),
          (plain / base).toFixed(2),
          '',
          '',
          '',
        ],
        ...frames.map(({ name, times, longest, busy }) => [
          `${name} (${times.length} frames)`,
          p95(times).toFixed(1),
          (p95(times) / base).toFixed(2),
          Math.max(...times).toFixed(0),
          longest.toFixed(0),
          `${(busy * 100).toFixed(0)} %`,
        ]),
      ],
      notes: [
        'a frame of a 60 Hz screen is 16.7 ms; Chromium draws in software here, on processors that other programs use too',
        'processor times are of the page’s own thread: what they leave is time in which it could draw',
      ],
      failed: false,
    }
  } finally {
    await browser.close()
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
