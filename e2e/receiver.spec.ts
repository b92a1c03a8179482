import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { exported, exporters, logsOf, spansOf } from '../fixtures/otlp.ts'
import { expectAccessible } from './helpers/axe.ts'
import { expect, startTurnscope, test } from './helpers/serve.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('[F154] what a program sends is a session that appears in the window and grows', async ({
  workbench,
  served,
}) => {
  await workbench.keyboard.press('ControlOrMeta+k')
  await workbench.getByRole('combobox').fill('Live sessions')
  await workbench.keyboard.press('Enter')
  const dialog = workbench.getByRole('dialog', { name: 'Live sessions' })
  const receiver = dialog.getByRole('region', { name: 'Traces and logs' })
  await expect(receiver).toContainText('Off: nothing listens.')
  await receiver.getByText('Receive what programs send by OpenTelemetry').click()
  await expect(receiver).toContainText('Since it listens: 0 sessions, 0 spans')
  // The token is not visible to a bystander, or in a picture of the window.
  await expect(receiver.getByLabel('Environment variables')).toContainText('x-turnscope-token=…')
  await receiver.getByRole('button', { name: 'Copy with the token' }).click()
  const copied = await workbench.evaluate(() => navigator.clipboard.readText())
  const token = await readFile(`${served.workspace}-config/turnscope/live/otlp-token`, 'utf8')
  expect(copied.split('\n')).toContain(
    `OTEL_EXPORTER_OTLP_HEADERS=x-turnscope-token=${token.trim()}`,
  )
  const url = /ENDPOINT=(\S+)/u.exec(copied)?.[1] ?? ''
  const headers = { 'x-turnscope-token': token.trim() }

  const wrong = exporters('json', { url, headers: { 'x-turnscope-token': 'wrong' } })
  expect(await exported(wrong.traces, spansOf('bed-watch', 1))).not.toBeNull()
  await expect(receiver).toContainText('without the token, or with a wrong one')

  const { traces, logs } = exporters('protobuf', { url, headers })
  const [first, ...others] = logsOf('chat-1', 6)
  expect(await exported(logs, first === undefined ? [] : [first])).toBeNull()
  expect(await exported(traces, spansOf('bed-watch', 3))).toBeNull()
  await expect(receiver).toContainText('2 sessions, 3 spans, 1 log record')
  await expect(dialog.getByRole('button', { name: 'bed-watch' })).toBeVisible()
  await expect(dialog.getByRole('cell', { name: 'greenhouse' }).first()).toBeVisible()
  await expectAccessible(workbench, 'traces and logs', '.live')

  await dialog.getByRole('button', { name: 'chat-1' }).click()
  await expect(workbench.getByText('water bed 0').first()).toBeVisible()
  await expect(workbench.getByRole('switch', { name: /^Follow/u })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  const turns = workbench.getByRole('slider', { name: 'Timeline of turns' })
  const before = Number(await turns.getAttribute('aria-valuemax'))
  expect(await exported(logs, others)).toBeNull()
  await expect(workbench.getByText('water bed 4').first()).toBeVisible()
  await expect
    .poll(async () => Number(await turns.getAttribute('aria-valuemax')))
    .toBeGreaterThan(before)

  // Another one, while a session is on screen: it is followed too.
  await workbench.keyboard.press('ControlOrMeta+k')
  await workbench.getByRole('combobox').fill('Live sessions')
  await workbench.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'bed-watch' }).click()
  await expect(workbench.locator('.status')).toContainText('bed-watch')
  await expect(workbench.getByRole('switch', { name: /^Follow/u })).toHaveAttribute(
    'aria-checked',
    'true',
  )

  await workbench.keyboard.press('ControlOrMeta+k')
  await workbench.getByRole('combobox').fill('Live sessions')
  await workbench.keyboard.press('Enter')
  await receiver.getByRole('checkbox').click()
  await expect(receiver).toContainText('Off: nothing listens.')
  await expect(fetch(`${url}/v1/logs`, { method: 'POST' })).rejects.toThrow()
})

test('[F154] where the port is taken, the window says what, where and what to do, and then it can be had', async ({
  page,
}) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const { url, close } = await startTurnscope({ receiverPort: port })
  await page.goto(url)
  await page.waitForFunction(() => localStorage.getItem('turnscope.key') !== null)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('Live sessions')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Live sessions' })
  const receiver = dialog.getByRole('region', { name: 'Traces and logs' })
  await receiver.getByRole('checkbox').click()
  const words = 'The port of the receiver is in use by another program'
  await expect(receiver).toContainText(words)
  await expect(receiver).toContainText(`127.0.0.1:${port}`)
  await expect(receiver).toContainText('choose another port with turnscope serve --otlp PORT')
  await expect(receiver.getByText(/is in use by another program/iu)).toHaveCount(1)
  await expect(receiver).toContainText('Off: nothing listens.')
  await new Promise((resolve) => other.close(resolve))
  await receiver.getByRole('checkbox').click()
  await expect(receiver).toContainText(`At http://127.0.0.1:${port}`)
  await expect(receiver).not.toContainText(words)
  await close()
})
