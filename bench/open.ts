/**
 * Opening sessions of 10,000 and 100,000 turns in serve mode: times until they can be read and until all turns are
 * drawn, beside a window without a session, a page with nothing, and a replay with nothing around it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { joinColumns } from '../core/wire/replay-part.ts'
import type { ReplayColumns } from '../core/engine/schema/replay.ts'
import { writeLongSession } from './long-session.ts'
import { formatRatio, median, type Section } from './measure.ts'
import { type Alone, CONFIG, hashOf } from './replay-alone.ts'
import { connectTo, ROOT, startServer } from './server.ts'
import { launchBrowser, tasksDuring, timesOf } from './window.ts'

const SIZES = process.env['TURNSCOPE_BENCH_TURNS']?.split(',').map(Number) ?? [10_000, 100_000]
const ROUNDS = 5
/** Time for the work after a complete timeline: lanes of self-signals, preparation of zoom levels. */
const AFTER_MS = 4000

interface Opening {
  /** Milliseconds from the request of the page until the first text is readable, and until all turns are drawn. */
  readonly firstTurn: number
  readonly timeline: number
  /** Processor milliseconds of the server until all turns are drawn, its start included. */
  readonly server: number
}

async function openOnce(page: Page, url: string, turns: number, cpu: () => number) {
  const { firstTurn, timeline } = await timesOf(page, url, {
    firstTurn: { selector: '[role=grid] .row-body' },
    timeline: {
      selector: '[role=slider][aria-label="Timeline of turns"]',
      least: { attribute: 'aria-valuemax', value: turns },
    },
  })
  return { firstTurn, timeline, server: cpu() }
}

const VIEWPORT = { viewport: { width: 1440, height: 900 } }

/** A separate server and page for one measurement. */
async function fresh<T>(
  browser: Browser,
  file: string | undefined,
  measure: (page: Page, server: Awaited<ReturnType<typeof startServer>>) => Promise<T>,
): Promise<T> {
  const workspace = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const page = await browser.newPage(VIEWPORT)
  const server = await startServer(workspace, file)
  try {
    return await measure(page, server)
  } finally {
    await page.close()
    server.stop()
    // It may be writing its list of recent files.
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 })
  }
}

function opening(browser: Browser, file: string, turns: number): Promise<Opening> {
  return fresh(browser, file, (page, { url, cpu }) => openOnce(page, url, turns, cpu))
}

/**
 * The longest task of the page's thread, in processor milliseconds. Measured in a separate opening, because observing
 * costs time.
 */
function longestTask(browser: Browser, file: string, turns: number): Promise<number> {
  return fresh(browser, file, async (page, { url, cpu }) => {
    const { tasks } = await tasksDuring(page, async () => {
      await openOnce(page, url, turns, cpu)
      await page.waitForTimeout(AFTER_MS)
    })
    return tasks[0]?.cpu ?? 0
  })
}

/** Milliseconds until a window without a session shows its first actions. */
function emptyWindow(browser: Browser): Promise<number> {
  return fresh(browser, undefined, async (page, { url }) => {
    const { welcome } = await timesOf(page, url, { welcome: { selector: '.welcome-open' } })
    return welcome
  })
}

/** Milliseconds until a page with one paragraph and nothing else is there, from a server of this process. */
async function plainPage(browser: Browser): Promise<number> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><p>nothing')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const page = await browser.newPage(VIEWPORT)
  const { text } = await timesOf(page, `http://127.0.0.1:${port}/`, { text: { selector: 'p' } })
  await page.close()
  server.close()
  return text
}

function alone(file: string): Alone {
  const script = join(ROOT, 'bench/replay-alone.ts')
  // Our own script, which prints this.
  return JSON.parse(execFileSync(process.execPath, [script, file], { encoding: 'utf8' })) as Alone
}

/**
 * The columns that a window has in the end, which asks while the file is read and puts parts together.
 * @param named the server is started with the file, and reads it ahead (U201)
 */
async function columnsInParts(
  file: string,
  named: boolean,
): Promise<{ readonly hash: string; readonly parts: number }> {
  const workspace = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const server = await startServer(workspace, named ? file : undefined)
  const { client, close } = await connectTo(server.url)
  let columns: ReplayColumns | null = null
  let run = ''
  let parts = 0
  const replay = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const known = columns && { run, turns: columns.turns }
      const input = { key, session: 0, config: CONFIG, compare: null, known }
      client.subscribe('session.replay', input, {
        next: (step) => {
          if (step.kind !== 'replayed') return
          columns = columns ? joinColumns(columns, step.from, step.columns) : step.columns
          run = step.run
          parts += 1
        },
        error: reject,
        end: resolve,
      })
    })
  try {
    let key = ''
    let last: Promise<void> = Promise.resolve()
    await new Promise<void>((resolve, reject) => {
      const source = { kind: 'path', path: file } as const
      client.subscribe(
        'session.open',
        { source },
        {
          next: (step) => {
            if (step.kind === 'opened') key = step.key
            if (step.kind !== 'progress') last = last.then(() => replay(key))
          },
          error: reject,
          end: resolve,
        },
      )
    })
    await last
    await replay(key)
    return { hash: hashOf(columns), parts }
  } finally {
    close()
    server.stop()
    // It may be writing its list of recent files.
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5 })
  }
}

export async function benchOpen(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const browser = await launchBrowser()
  const rows: string[][] = []
  const notes: string[] = []
  let failed = false
  try {
    for (const turns of SIZES) {
      const file = join(folder, `long-${turns}.jsonl`)
      await writeLongSession(file, turns)
      const all: Opening[] = []
      const empty: number[] = []
      const plain: number[] = []
      const replays: Alone[] = []
      // In turns, so that what else the machine does falls on all.
      for (let round = 0; round < ROUNDS; round += 1) {
        plain.push(await plainPage(browser))
        empty.push(await emptyWindow(browser))
        replays.push(alone(file))
        all.push(await opening(browser, file, turns))
      }
      const of = (name: keyof Opening) => median(all.map((one) => one[name]))
      const clock = median(replays.map((one) => one.clock))
      const cpu = median(replays.map((one) => one.cpu))
      const joined = await columnsInParts(file, false)
      const ahead = await columnsInParts(file, true)
      const differs = replays.some(({ hash }) => hash !== joined.hash || hash !== ahead.hash)
      failed ||= differs
      rows.push([
        `${turns.toLocaleString('en')} turns (${(statSync(file).size / 1e6).toFixed(1)} MB)`,
        of('firstTurn').toFixed(0),
        median(plain).toFixed(0),
        median(empty).toFixed(0),
        formatRatio(of('firstTurn') / median(empty)),
        of('timeline').toFixed(0),
        clock.toFixed(0),
        formatRatio(of('timeline') / clock),
        `${of('server').toFixed(0)} / ${cpu.toFixed(0)}`,
        (await longestTask(browser, file, turns)).toFixed(0),
      ])
      notes.push(
        `${turns.toLocaleString('en')} turns: ${joined.parts} parts of a replay put together, and ${ahead.parts} of a file that was read ahead, ${differs ? 'DIFFER from' : 'equal'} one in a process of its own`,
      )
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: `Opening in serve mode, medians of ${ROUNDS}, milliseconds`,
    head: [
      '',
      'first readable turn',
      'a page with nothing',
      'a window without a session',
      'first turn / that window',
      'full timeline',
      'read and replayed alone',
      'timeline / alone',
      'processor: server until then / alone',
      'longest task, processor',
    ],
    rows,
    notes: [
      ...notes,
      'times are noted by the page itself, from when it was asked for: they include loading it and the first work of a server that has just started; alone, modules are loaded already',
      'a task is work that the page’s thread does without drawing or hearing keys in between',
    ],
    failed,
  }
}
