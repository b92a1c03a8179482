import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { startTurnscope } from './helpers/serve.ts'

/** A listener that counts who connects. */
async function listen() {
  const heard: string[] = []
  const server = createServer((socket) => {
    heard.push('a connection')
    socket.on('error', () => undefined)
    socket.on('data', () => socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a port has an address with one.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, server }
}

const yaml = (url: string) => `collections:
  - name: notes
    paths: [notes]
    store: { kind: qdrant, url: "${url}", collection: notes, keyEnv: QDRANT_KEY }
`

/** Serve mode over a repository from another author, with the operator's own settings elsewhere. */
async function serveStrange() {
  const qdrant = await listen()
  const root = await mkdtemp(join(tmpdir(), 'turnscope-strange-'))
  const config = await mkdtemp(join(tmpdir(), 'turnscope-config-'))
  const place = (url: string) => writeFile(join(root, 'profiles/collections.yaml'), yaml(url))
  await mkdir(join(root, 'profiles'))
  await mkdir(join(root, 'notes'))
  await writeFile(join(root, 'notes/a.md'), '# A\n\nSeals.\n')
  await place(qdrant.url)
  execFileSync('git', ['init', '-q'], { cwd: root })
  const served = await startTurnscope({
    workspace: root,
    variables: { XDG_CONFIG_HOME: config, QDRANT_KEY: 'not-a-real-key' },
  })
  const { url } = served
  const close = async () => {
    await served.close()
    qdrant.server.close()
    for (const folder of [root, config]) await rm(folder, { recursive: true, force: true })
  }
  return { url, root, qdrant, place, close }
}

test('[V39] a strange workspace says that it is restricted, lists why, and is trusted by keyboard alone', async ({
  page,
}) => {
  const { url, qdrant, place, root, close } = await serveStrange()
  await page.goto(url)
  const banner = page.getByRole('status').filter({ hasText: 'Restricted: you have not trusted' })
  await expect(banner).toContainText('vector store (http://127.0.0.1:')
  await expect(banner).toContainText('git')
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('Restricted')

  // Its collections say it too, and nothing was connected to.
  await page.keyboard.press('Z')
  const collections = page.getByRole('dialog', { name: 'Collections and embedders' })
  await expect(collections.getByText('restricted', { exact: true })).toBeVisible()
  await collections.getByRole('button', { name: 'Workspace trust' }).click()
  const dialog = page.getByRole('dialog', { name: 'Workspace trust' })
  const items = dialog.getByRole('list', { name: 'What the workspace names' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.nth(0)).toContainText('Vector store: Qdrant')
  await expect(items.nth(0)).toContainText(qdrant.url)
  await expect(items.nth(0)).toContainText('QDRANT_KEY')
  await expect(items.nth(1)).toContainText(root)
  await expectAccessible(page, 'workspace trust')

  // The focus is where nothing changes by accident.
  await expect(dialog.getByRole('button', { name: 'Stay restricted' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(banner).toHaveCount(0)
  expect(qdrant.heard).toEqual([])

  // By the palette, and with the keyboard only.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Workspace trust')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Stay restricted' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Trust this workspace' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('contentinfo', { name: 'Status' })).not.toContainText('Restricted')
  await page.keyboard.press('Z')
  await expect(collections.getByText('failed', { exact: true })).toBeVisible()
  expect(qdrant.heard.length).toBeGreaterThan(0)
  await page.keyboard.press('Escape')

  // Another address: the question appears again, about the new item.
  const other = await listen()
  await place(other.url)
  await page.reload()
  await expect(banner).toContainText(other.url)
  await page.keyboard.press('W')
  await expect(dialog).toContainText('names something new')
  await expect(items.nth(0)).toContainText('new, off')
  await expect(items.nth(1)).toContainText('allowed')
  expect(other.heard).toEqual([])
  await dialog.getByRole('button', { name: 'Stop trusting' }).click()
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('W')
  await expect(items.nth(1)).toContainText('off')
  other.server.close()
  await close()
})
