import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Served } from './serve.ts'

/** Waits until the host has stored a draft of the workspace with this text. */
export async function draftStored({ workspace }: Served, text: string): Promise<void> {
  const folder = join(workspace, '.turnscope/drafts')
  const drafts = async () => {
    const names = await readdir(folder).catch(() => [])
    const files = names.map((name) => readFile(join(folder, name, 'current.json'), 'utf8'))
    return (await Promise.allSettled(files)).map((file) =>
      file.status === 'fulfilled' ? file.value : '',
    )
  }
  await expect.poll(async () => (await drafts()).join('\n')).toContain(text)
}
