import { readdir } from '../platform/files/fenced-fs.ts'
import { basename, extname, join, relative } from 'node:path'
import type { Preset } from '../../engine/schema/preset.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'
import { readText } from '../platform/files/regular-file.ts'
import type { Loaded } from '../workspace/data-kinds.ts'

/** Files of the page's own file system: path → text. New content of a page is added as another file. */
export type PageFiles = Readonly<Record<string, string>>

/** Root folders of the page's file system; `/workspace` is the page's workspace. */
export const PAGE_WORKSPACE = '/workspace'
const PAGE_SHIPPED = '/shipped'

/** Of what ships, these: the rest is about folders, documents and models. */
const FOLDERS = ['profiles/presets', 'profiles/domains', 'profiles/models', 'prompts']
const TEXT = /\.(?:ya?ml|json|md|gbnf)$/u

/** [R12] Files that ship, so that a page can be replayed with every preset. */
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

/** The configuration that a page is replayed with: its files, and their names in the page. */
export interface PageConfig {
  readonly files: PageFiles
  readonly preset: string
  readonly domains: string
  /** Path of the domain file in the page. */
  readonly domainsPath: string
  readonly profile: string | null
  readonly compare: string | null
}

interface Sides {
  readonly config: ConfigFiles
  readonly compare: { readonly name: string; readonly preset: Loaded<Preset> } | null
}

/** [R12] Of the workspace only the files that the replay names; its other files stay at home. */
export async function configFiles(
  { config, compare }: Sides,
  shipped: string,
): Promise<PageConfig> {
  const files: Record<string, string> = {}
  const take = async (folder: string, loaded: Loaded<unknown> | null) => {
    const path = loaded?.file.path
    if (path === undefined) return null
    const inside = relative(shipped, path)
    if (!inside.startsWith('..')) return `${PAGE_SHIPPED}/${plain(inside)}`
    const place = `${PAGE_WORKSPACE}/profiles/${folder}/${basename(path)}`
    files[place] = await readText(path)
    return place
  }
  const named = config.config
  await take('presets', config.preset)
  await take('models', config.profile)
  await take('presets', compare?.preset ?? null)
  const domainsPath = await take('domains', config.domains)
  return {
    files,
    preset: nameOf(named.preset),
    domains: nameOf(named.domains),
    profile: named.profile === null ? null : nameOf(named.profile),
    compare: compare === null ? null : nameOf(compare.name),
    domainsPath: domainsPath ?? '',
  }
}

/** A command line may name a file by its path: in the page it is one of the workspace's own. */
function nameOf(name: string): string {
  return /[/\\]|\.(?:ya?ml|json)$/u.test(name) ? basename(name, extname(name)) : name
}

const plain = (path: string) => path.replaceAll('\\', '/')
