import { cp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../core/host/platform/files/atomic-file.ts'

/** Workspace folders that the operator edits. Sample sessions are read from the shipped folder. */
const SEED_FOLDERS = ['profiles', 'prompts'] as const
/** [F187] Made by the program: those of its version take the place of older ones. */
const SCHEMAS = 'schemas'

/**
 * Fills the workspace of an installed app from the shipped files, once per version. Existing files are kept, except the
 * schemas. Files that the operator deleted stay deleted until the next version.
 */
export async function seedWorkspace(
  shipped: string,
  workspace: string,
  version: string,
): Promise<void> {
  const marker = join(workspace, '.turnscope', 'seeded')
  if ((await readFile(marker, 'utf8').catch(() => '')) === version) return
  for (const folder of [...SEED_FOLDERS, SCHEMAS]) {
    const from = join(shipped, folder)
    const isThere = await stat(from).catch(() => null)
    const force = folder === SCHEMAS
    if (isThere) await cp(from, join(workspace, folder), { recursive: true, force })
  }
  await writeFileAtomic(marker, version)
}
