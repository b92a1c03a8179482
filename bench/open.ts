/** Opening sessions of 10,000 and 100,000 turns in serve mode: times until they can be read, and the longest tasks. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { writeLongSession } from './long-session.ts'
import { median, type Section } from './measure.ts'
import { startServer } from './server.ts'
import { launchBrowser, tasksDuring } from './window.ts'

const SIZES = [10_000, 100_000]
const ROUNDS = 3
const READY_MS = 180_000
/** What follows a complete timeline: lanes of self-signals, preparation of zoom levels. */
const AFTER_MS = 4000

interface Opening {
  /** Milliseconds from the address until there is something to read, and until all turns are drawn. */
  readonly firstTurn: number
  readonly timeline: number
  /** Longest task of the page's thread: processor milliseconds. */
  readonly longest: number
}

async function openOnce(page: Page, url: string, turns: number) {
  const start = performance.now()
  await page.goto(url)
  await page.locator('[role=grid] .row-body').first().waitFor({ timeout: READY_MS })
  const firstTurn = performance.now() - start
  await page.getByRole('slider', { name: 'Timeline of turns' }).waitFor({ timeout: READY_MS })
  await page.waitForFunction(
    (least) =>
      Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuemax')) >= least,
    turns,
    { timeout: READY_MS },
  )
  const timeline = performance.now() - start
  await page.waitForTimeout(AFTER_MS)
  return { firstTurn, timeline }
}

async function openings(browser: Browser, file: string, turns: number): Promise<Opening[]> {
  const found: Opening[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const workspace = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const server = await startServer(workspace, file)
    try {
      const { result, tasks } = await tasksDuring(page, () => openOnce(page, server.url, turns))
      found.push({ ...result, longest: tasks[0]?.cpu ?? 0 })
    } finally {
      await page.close()
      server.stop()
      rmSync(workspace, { recursive: true, force: true })
    }
  }
  return found
}

export async function benchOpen(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const browser = await launchBrowser()
  const rows: string[][] = []
  try {
    for (const turns of SIZES) {
      const file = join(folder, `long-${turns}.jsonl`)
      await writeLongSession(file, turns)
      const all = await openings(browser, file, turns)
      const of = (name: keyof Opening) => median(all.map((one) => one[name])).toFixed(0)
      rows.push([
        `${turns.toLocaleString('en')} turns (${(statSync(file).size / 1e6).toFixed(1)} MB)`,
        ...[of('firstTurn'), of('timeline'), of('longest')],
      ])
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: 'Opening in serve mode, medians of 3',
    head: ['', 'first readable turn, ms', 'full timeline, ms', 'longest task, processor ms'],
    rows,
    notes: [
      'times include loading the page and the first work of a server that has just started',
      'a task is work that the page’s thread does without drawing or hearing keys in between',
    ],
    failed: false,
  }
}
