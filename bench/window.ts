import { chromium, type Browser, type Page } from '@playwright/test'
import { BROWSER_ARGS, ensureBrowser } from '../scripts/browser.ts'

/** The browser that the windows of a benchmark are opened in. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = ensureBrowser((line) => process.stderr.write(`${line}\n`))
  return chromium.launch({ executablePath, args: [...BROWSER_ARGS] })
}

interface Probe {
  benchFrames: number[]
  benchOn: boolean
}

/** Milliseconds between frames while `act` runs again and again for two seconds. */
export async function frameTimes(
  page: Page,
  act: (step: number) => Promise<void>,
): Promise<number[]> {
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

/** A condition to wait for on a page: an element, optionally with a minimum number in an attribute. */
interface Sight {
  readonly selector: string
  readonly least?: { readonly attribute: string; readonly value: number }
}

/**
 * Opens an address and resolves when all sights have appeared. Returns for each the milliseconds since the request of
 * the page. The page records them itself when its document changes. Polling by a browser driver would take a third of
 * the page's time.
 */
export async function timesOf<K extends string>(
  page: Page,
  url: string,
  sights: Readonly<Record<K, Sight>>,
): Promise<Readonly<Record<K, number>>> {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<K, number>>>()
  await page.exposeFunction('benchSeen', resolve)
  // The type of an argument sent to a page loses the types of its values.
  const all: Readonly<Record<string, Sight>> = sights
  await page.addInitScript((wanted: Readonly<Record<string, Sight>>) => {
    const times: Record<string, number> = {}
    const isThere = ({ selector, least }: Sight) => {
      const found = document.querySelector(selector)
      if (found === null || least === undefined) return found !== null
      return Number(found.getAttribute(least.attribute)) >= least.value
    }
    const observer = new MutationObserver(() => {
      for (const [name, sight] of Object.entries(wanted))
        if (times[name] === undefined && isThere(sight)) times[name] = performance.now()
      if (Object.keys(times).length < Object.keys(wanted).length) return
      observer.disconnect()
      const { benchSeen } = window as unknown as { benchSeen: (seen: object) => void }
      benchSeen(times)
    })
    const attributeFilter = Object.values(wanted).flatMap(({ least }) => least?.attribute ?? [])
    const told = attributeFilter.length === 0 ? {} : { attributeFilter }
    observer.observe(document, { childList: true, subtree: true, ...told })
  }, all)
  // Any other event that the driver could wait for is also work of the page.
  await page.goto(url, { waitUntil: 'commit' })
  return promise
}

export async function overCentre(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Microseconds: by the clock, and of the thread's processor time. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** A task of the page's own thread, in milliseconds. */
interface Task {
  readonly wall: number
  /** Processor time: what other programs on the machine take is not in it. */
  readonly cpu: number
}

interface Worked<T> {
  readonly result: T
  /** Longest first by processor time. */
  readonly tasks: readonly Task[]
  /** Share of the time in which the page's thread worked: its processor time to the clock's. */
  readonly busy: number
}

/** Tasks of the page's thread while `work` runs. */
export async function tasksDuring<T>(page: Page, work: () => Promise<T>): Promise<Worked<T>> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  await browser.startTracing(page, { categories: ['toplevel', '__metadata', 'blink.user_timing'] })
  // Starting the trace is a separate task and must not be measured.
  await page.evaluate(() => performance.mark('bench-start'))
  const start = performance.now()
  const result = await work()
  const wall = performance.now() - start
  const trace = await browser.stopTracing()
  // Written by the browser in this form.
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const began = traceEvents.find(({ name }) => name === 'bench-start')?.ts ?? 0
  const tasks = traceEvents
    .filter(({ name, ph, pid, tid, ts }) => {
      return ph === 'X' && ts > began && name.endsWith('RunTask') && mains.has(`${pid} ${tid}`)
    })
    .map(({ dur = 0, tdur = 0 }) => ({ wall: dur / 1000, cpu: tdur / 1000 }))
  const cpu = tasks.reduce((sum, task) => sum + task.cpu, 0)
  return { result, tasks: tasks.toSorted((a, b) => b.cpu - a.cpu), busy: cpu / wall }
}

/** Texts of plain rows, and of others to put in their place. */
const ROWS = 20

/** A page with nothing but plain rows; `swap` puts other texts into all of them. */
export async function plainRows(page: Page): Promise<() => Promise<void>> {
  await page.setContent('<main style="font: 13px/1.4 sans-serif"></main>')
  await page.evaluate((rows) => {
    for (let at = 0; at < rows; at += 1)
      document.querySelector('main')?.append(document.createElement('p'))
  }, ROWS)
  let step = 0
  return async () => {
    step += 1
    await page.evaluate((nth) => {
      for (const [at, row] of document.querySelectorAll('p').entries())
        row.textContent = `Row ${nth * 31 + at}: ${'what stands in a row of a list '.repeat(8)}`
    }, step)
    await page.waitForTimeout(33)
  }
}
