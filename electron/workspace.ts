import { cp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../core/host/files/atomic-file.ts'

/** What a person edits in a workspace. Sample sessions are read where they ship. */
const SEED_FOLDERS = ['profiles', 'prompts'] as const

/**
 * Fills the workspace of an installed app from what ships with it, once per version. Files that are
 * there are never touched; files that the person deleted stay deleted until the next version.
 */
export async function seedWorkspace(
  shipped: string,
  workspace: string,
  version: string,
): Promise<void> {
  const marker = join(workspace, '.turnscope', 'seeded')
  if ((await readFile(marker, 'utf8').catch(() => '')) === version) return
  for (const folder of SEED_FOLDERS) {
    const from = join(shipped, folder)
    const isThere = await stat(from).catch(() => null)
    if (isThere) await cp(from, join(workspace, folder), { recursive: true, force: false })
  }
  await writeFileAtomic(marker, version)
}
