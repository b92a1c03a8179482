import { startModelServer } from '../fixtures/model-servers.ts'
import {
  askFromPalette,
  dialog,
  judged,
  openAt,
  PROMISE,
  region,
  timeline,
  turnOn,
  writeSession,
} from './helpers/coach.ts'
import { expect, test } from './helpers/serve.ts'

test.use({ shown: 'all', timezoneId: 'UTC', colorScheme: 'dark' })

test('one model call: estimate, confirmation, verdict, request, cost; the same call is not paid twice', async ({
  placed: page,
  served,
}) => {
  const server = await startModelServer('openai-compatible', () =>
    judged('status', 'Show the output of the retry test.', 'A guess, without a run.'),
  )
  try {
    await openAt(page, await writeSession(served.workspace), 'event=3')
    await turnOn(page, server)
    expect(server.received).toHaveLength(0)
    await askFromPalette(page, 'this output')
    const run = dialog(page, 'Ask the model about this output')
    await expect(run).toContainText(/about \$0\.\d+, with every answer at its limit/u)
    expect(server.received).toHaveLength(0)
    await run.getByRole('button', { name: 'Make 1 call' }).click()
    await expect(run.getByRole('status')).toContainText('answered')
    await run.getByRole('button', { name: 'Close', exact: true }).last().click()
    expect(server.received).toHaveLength(1)
    await expect(page.getByLabel('Coaching as it is sent')).toHaveText(
      '[System Coach] Show the output of the retry test.',
    )
    await expect(region(page, 'Rules and model')).toContainText('they agree')
    const request = region(page, 'Request and answer')
    await expect(request).toContainText(/1,000 tokens in, 50 out/u)
    await request.locator('summary', { hasText: 'What was sent' }).click()
    await expect(request.getByLabel('What was sent: user')).toContainText('This should work now')
    await request.locator('summary', { hasText: 'Raw answer' }).click()
    await expect(request.getByLabel('Raw answer: answer')).toContainText('coaching_message')
    await page.locator('.list-scroll').focus()
    await askFromPalette(page, 'this output')
    await expect(run).toContainText('There is nothing left to ask.')
    await expect(run.getByRole('button', { name: /^Make/u })).toBeDisabled()
    expect(server.received).toHaveLength(1)
  } finally {
    await server.close()
  }
})

test('a batch: gates are never sent, disagreement is marked, a failure is a state of the turn', async ({
  placed: page,
  served,
}) => {
  const server = await startModelServer('openai-compatible', (_, { body }) => {
    const text = JSON.stringify(body)
    if (text.includes('4f9e2ab')) return { status: 401 }
    return judged('completion')
  })
  try {
    await openAt(page, await writeSession(served.workspace), 'event=3')
    await turnOn(page, server)
    await askFromPalette(page, 'all outputs')
    const run = dialog(page, 'Ask the model about all outputs')
    await expect(run.locator('.coach-sum').nth(1)).toContainText('decided by a gate1')
    await run.getByRole('button', { name: 'Make 3 calls' }).click()
    await expect(run).toContainText('The key was refused')
    await run.getByRole('button', { name: 'Close', exact: true }).last().click()
    expect(server.received.every(({ body }) => !JSON.stringify(body).includes(PROMISE))).toBe(true)
    await expect(region(page, 'Rules and model')).toContainText('they differ')
    await expect(region(page, 'To look at again')).toContainText(
      'the model says completion, the rules status',
    )
    await page.locator('.list-scroll').focus()
    await page.keyboard.press('k')
    await expect(timeline(page)).toHaveAttribute('aria-valuetext', /rules or runs disagree/u)
    await page.getByRole('button', { name: 'Next output' }).click()
    await expect(page.locator('.aside-bad')).toContainText('The key was refused')
    await expect(page.locator('.aside-bad')).toContainText('The rules’ verdict stands.')
  } finally {
    await server.close()
  }
})

test('a running batch is cancelled', async ({ placed: page, served }) => {
  const server = await startModelServer('openai-compatible', () => ({ hang: true }))
  try {
    await openAt(page, await writeSession(served.workspace), 'event=3')
    await turnOn(page, server)
    await askFromPalette(page, 'this output')
    const run = dialog(page, 'Ask the model about this output')
    await run.getByRole('button', { name: 'Make 1 call' }).click()
    await expect.poll(() => server.received.length).toBe(1)
    await run.getByRole('button', { name: 'Cancel' }).click()
    await expect(run).toContainText('Cancelled.')
    await expect.poll(() => server.dropped()).toBe(1)
  } finally {
    await server.close()
  }
})

test('settings: what leaves the machine, the key in words, a test of the connection', async ({
  placed: page,
  served,
}) => {
  let status = 401
  const server = await startModelServer('openai-compatible', () =>
    status === 200 ? judged('question') : { status },
  )
  try {
    await openAt(page, await writeSession(served.workspace), 'event=3')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Coach…')
    await page.keyboard.press('Enter')
    const settings = dialog(page, 'Coach')
    await expect(settings).toContainText('With the model off nothing leaves this machine.')
    await settings.getByText('Ask a model').click()
    await settings.getByRole('combobox', { name: 'Provider' }).selectOption('openai-compatible')
    await settings.getByRole('button', { name: 'Save and test the connection' }).click()
    await expect(settings).toContainText('Needed here')
    await settings.getByRole('textbox', { name: 'Model' }).fill('test-model')
    await settings.getByRole('textbox', { name: 'Base URL' }).fill(server.url)
    await expect(settings.getByRole('note')).toContainText(`goes to ${server.url}`)
    await settings.getByLabel('Key', { exact: true }).last().fill('secret-key-of-the-test')
    await settings.getByRole('button', { name: 'Keep this key' }).click()
    await expect(settings).toContainText('The key is kept in a file that only you can read')
    await settings.getByRole('button', { name: /est the connection/u }).click()
    await expect(settings.getByRole('alert')).toContainText('The key was refused')
    status = 200
    await settings.getByRole('button', { name: /est the connection/u }).click()
    await expect(settings.getByRole('status')).toContainText('It works')
    const sent = server.received.at(-1)
    expect(sent?.headers.authorization).toBe('Bearer secret-key-of-the-test')
    expect(JSON.stringify(sent?.body)).not.toContain('retry limit')
    await settings.getByRole('button', { name: 'Forget it' }).click()
    await expect(settings).toContainText('No key is')
    expect(await page.content()).not.toContain('secret-key-of-the-test')
  } finally {
    await server.close()
  }
})
