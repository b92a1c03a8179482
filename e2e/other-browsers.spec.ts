import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { parse } from 'yaml'
import { runCli } from '../fixtures/run-cli.ts'
import { ROOT } from '../scripts/build.ts'
import { type OtherPage, OTHER_BROWSERS } from './helpers/other-browsers.ts'

// An exported page may be opened in any browser.

const textOf = (page: OtherPage, selector: string) =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`)

/** Presses the first button of that name. */
const press = (page: OtherPage, name: string) =>
  page.evaluate(
    `[...document.querySelectorAll('.tour-card button')].find((each) => each.innerText.trim() === ${JSON.stringify(name)})?.click()`,
  )

/** Whether the timeline shows anything: a canvas of which some pixel is not empty. */
const DRAWN = `(() => {
  const canvas = document.querySelector('.tl-plot canvas')
  if (!canvas || !canvas.width) return false
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.some((value) => value !== 0)
})()`

const ASKED = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !/^(?:blob|data|file):/.test(name))`

interface Stops {
  readonly stops: ReadonlyArray<{ readonly expects: { readonly flips?: number } }>
}

for (const { name, isInstalled, run } of OTHER_BROWSERS) {
  test(`[R11] an exported page runs in ${name}: its tour is taken, and its edit flips what the tour says`, async () => {
    test.skip(!isInstalled, `${name} is not installed`)
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-other-'))
    const tour = join(ROOT, 'tours/st-003.yaml')
    const html = join(folder, 'page.html')
    const session = join(ROOT, 'fixtures/sessions/st-003.jsonl')
    const made = await runCli(['export', session, '--tour', tour, '--html', html])
    expect(made.code).toBe(0)
    const { stops } = parse(await readFile(tour, 'utf8')) as Stops
    const flips = stops.at(-1)?.expects.flips ?? 0
    expect(flips).toBeGreaterThan(0)
    const profile = join(folder, 'profile')
    await mkdir(profile)
    try {
      await run(profile, async (page) => {
        await page.open(pathToFileURL(html).href)
        await expect.poll(() => textOf(page, '.inspector .verdict')).toContain('Turn 1')
        await expect.poll(() => page.evaluate(DRAWN)).toBe(true)
        for (const [at] of stops.entries()) {
          await expect
            .poll(() => textOf(page, '.tour-card'))
            .toContain(`${at + 1} of ${stops.length}`)
          if (at + 1 < stops.length) await press(page, 'Next')
        }
        await expect.poll(() => textOf(page, '.tour-card')).toContain('Try this edit')
        await press(page, 'Try this edit')
        await expect.poll(() => textOf(page, '.flip-words')).toContain(`${flips} of 47 turns flip`)
        expect(await page.evaluate(ASKED)).toEqual([])
      })
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
}
