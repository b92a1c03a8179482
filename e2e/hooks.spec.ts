import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Served } from './helpers/serve.ts'
import { expectAccessible } from './helpers/axe.ts'
import { CLI } from '../fixtures/built.ts'

const START = join(CLI, '../../../bin/turnscope.cjs')

/** An agent's action at each prompt: it starts the hook and passes JSON to it. */
function prompt(served: Served, session: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [START, 'hook', '--agent', 'claude-code'], {
      env: { ...process.env, NODE_OPTIONS: '', XDG_STATE_HOME: `${served.workspace}-config` },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
    child.on('error', reject)
    child.on('close', () => resolve(out))
    child.stdin.end(JSON.stringify({ session_id: session, cwd: '/code/shop', prompt: text }))
  })
}

test('[U210] [F164] a prompt in an agent appears in the window; the window answers hooks when it is told to', async ({
  workbench,
  served,
}) => {
  const open = async () => {
    await workbench.keyboard.press('ControlOrMeta+k')
    await workbench.getByRole('combobox').fill('Live sessions')
    await workbench.keyboard.press('Enter')
  }
  await open()
  const dialog = workbench.getByRole('dialog', { name: 'Live sessions' })
  await expect(dialog).toContainText('None yet.')
  // [F164] And how an agent asks.
  await expect(dialog).toContainText('claude mcp add turnscope -- npx -y turnscope mcp')
  expect(await prompt(served, 's-1', 'fix the crash in the parser')).toContain('Domain: bugfix')
  const session = dialog.getByRole('button', { name: 'fix the crash in the parser' })
  await expect(session).toBeVisible()
  await dialog.getByText('Answer hooks from this window').click()
  await expect(dialog.getByRole('checkbox', { name: /^Answer hooks/u })).toBeChecked()
  const place: unknown = JSON.parse(
    await readFile(`${served.workspace}-config/turnscope/live/resident.json`, 'utf8'),
  )
  expect(place).toMatchObject({ pid: expect.any(Number) })
  expect(await prompt(served, 's-1', 'now write a test for it')).toContain('Domain: ')
  await prompt(served, 's-1', 'x'.repeat(10))
  await expectAccessible(workbench, 'live sessions', '.live')
  await session.click()
  await expect(workbench.getByText('now write a test for it').first()).toBeVisible()
  await expect(workbench.getByRole('switch', { name: /^Follow/u })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  await prompt(served, 's-1', 'refactor the module afterwards')
  await expect(workbench.getByText('refactor the module afterwards').first()).toBeVisible()
})

test('[F171] a hook that cannot read the rules lets the prompt through, and the window says so', async ({
  workbench,
  served,
}) => {
  const bad = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, [START, 'hook', '--preset', 'missing'], {
      env: { ...process.env, NODE_OPTIONS: '', XDG_STATE_HOME: `${served.workspace}-config` },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.on('close', resolve)
    child.stdin.end(JSON.stringify({ session_id: 's-3', prompt: 'fix it' }))
  })
  expect(bad).toBe(0)
  await workbench.keyboard.press('ControlOrMeta+k')
  await workbench.getByRole('combobox').fill('Live sessions')
  await workbench.keyboard.press('Enter')
  const dialog = workbench.getByRole('dialog', { name: 'Live sessions' })
  await expect(dialog).toContainText('Prompts that went on without the rules')
  await expect(dialog).toContainText('missing')
})
