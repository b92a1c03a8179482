import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../scripts/build.ts'
import { expect, test } from './helpers/serve.ts'

const FOLDER = join(ROOT, 'examples/browser')
const yaml = async (path: string) => JSON.stringify(parse(await readFile(join(ROOT, path), 'utf8')))

/** Files that a user who copies the example serves with it. */
const FILES: Readonly<Record<string, readonly [type: string, read: () => Promise<string>]>> = {
  '/': ['text/html', () => readFile(join(FOLDER, 'index.html'), 'utf8')],
  '/classify.mjs': ['text/javascript', () => readFile(join(FOLDER, 'classify.mjs'), 'utf8')],
  '/engine.js': ['text/javascript', () => readFile(join(ROOT, 'dist/api/engine.js'), 'utf8')],
  '/domains.json': ['application/json', () => yaml('profiles/domains/default.yaml')],
  '/preset.json': ['application/json', () => yaml('profiles/presets/recommended.yaml')],
}

test('[F191] the example in examples/browser classifies while one types', async ({ page }) => {
  const server = createServer((request, response) => {
    const file = FILES[request.url ?? '']
    if (file === undefined) response.writeHead(404).end()
    else
      void file[1]().then((text) => response.writeHead(200, { 'content-type': file[0] }).end(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  await page.goto(`http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}/`)
  await page.getByLabel('Message').fill('fix the crash in the parser')
  await expect(page.locator('#decision')).toContainText('"primary": "bugfix"')
  await page.getByLabel('Message').fill('thanks!')
  await expect(page.locator('#decision')).toContainText('"primary": "conversation"')
  server.close()
})
