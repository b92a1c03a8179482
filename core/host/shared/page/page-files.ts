import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { ConfigFiles } from '../../files/config-files.ts'
import { readText } from '../../files/regular-file.ts'

/** Files of the page's own file system: path → text. */
export type PageFiles = Readonly<Record<string, string>>

/** Where the files lie in the page; `/workspace` is the page's workspace. */
export const PAGE_WORKSPACE = '/workspace'
const PAGE_SHIPPED = '/shipped'

/** Of what ships, these: the rest is about folders, documents and models. */
const FOLDERS = ['profiles/presets', 'profiles/domains', 'profiles/models', 'prompts']
const TEXT = /\.(?:ya?ml|json|md|gbnf)$/u

/** [R12] What ships, so that a page can be replayed with every preset. */
export async function shippedFiles(shipped: string): Promise<PageFiles> {
  const found: Record<string, string> = { [`${PAGE_SHIPPED}/fixtures/samples.json`]: '[]' }
  for (const folder of FOLDERS) {
    const entries = await readdir(join(shipped, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile() || !TEXT.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      found[`${PAGE_SHIPPED}/${plain(relative(shipped, path))}`] = await readText(path)
    }
  }
  return found
}

/** [R12] Of the workspace only the files that the replay names; its other files stay at home. */
export async function configFiles(files: ConfigFiles, shipped: string): Promise<PageFiles> {
  const used = [files.preset, files.domains, files.profile]
    .flatMap((each) => each?.file ?? [])
    .map(async ({ path }) => {
      if (!relative(shipped, path).startsWith('..')) return []
      return [[`${PAGE_WORKSPACE}/${folderOf(path)}`, await readText(path)] as const]
    })
  return Object.fromEntries((await Promise.all(used)).flat())
}

/** `…/profiles/presets/mine.yaml` → `profiles/presets/mine.yaml`. */
function folderOf(path: string): string {
  return plain(path).split('/').slice(-3).join('/')
}

const plain = (path: string) => path.replaceAll('\\', '/')
