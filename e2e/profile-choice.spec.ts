import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './helpers/serve.ts'

async function writeModelSession(folder: string, model: string): Promise<string> {
  const lines = [
    { type: 'session', schemaVersion: 1, id: 'model', title: 'Model' },
    { kind: 'user', text: 'Fix the bug in the parser.' },
    { kind: 'agent', text: 'I will look.', model },
  ]
  const path = join(folder, `${model.replace('/', '-')}.jsonl`)
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('[F60] the profile of the session’s model is suggested and one press away', async ({
  placed: page,
  files,
}) => {
  const path = await writeModelSession(files.path, 'qwen/Qwen3-14B-Instruct')
  const open = (more = '') =>
    page.goto(`${new URL(page.url()).origin}/?${Math.random()}#s=path:${path}${more}`)
  await open()
  await expect(page.getByText('No model profile is chosen')).toBeVisible()
  const picker = page.getByRole('button', { name: /^profile/u })
  await expect(picker).toContainText('qwen3-14b?')
  await page.getByRole('button', { name: 'Use qwen3-14b' }).click()
  await expect(picker).toContainText('gates 1')
  await expect(page.getByText('No model profile is chosen')).toHaveCount(0)
  await open('&profile=granite-3.3-8b')
  await expect(page.getByText('is for another model')).toBeVisible()
  await open('&profile=nobody')
  await expect(picker).toContainText('does not exist')
  await expect(page.getByText('there is no model profile "nobody"')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use qwen3-14b' })).toBeVisible()
})

test('[F60] where there is no profile for the model, the picker says so', async ({
  placed: page,
  files,
}) => {
  const path = await writeModelSession(files.path, 'gpt-4o')
  await page.goto(`${new URL(page.url()).origin}/?x#s=path:${path}`)
  await page.getByRole('button', { name: /^profile/u }).click()
  await expect(page.getByText('There is no profile for gpt-4o')).toBeVisible()
})
