import { basename, join } from 'node:path'
import { sourceLabel } from '../../engine/context/source.ts'
import type { SourceKind } from '../../engine/schema/context.ts'
import { readdir } from '../platform/files/fenced-fs.ts'

/** A folder of a project in which agents look for a kind of source. */
interface Where {
  readonly kind: SourceKind
  readonly folder: string
  /** Names of files that are sources; the name of the folder around it is the source's if `inside`. */
  readonly file: RegExp
  readonly inside?: true
}

/** [X21] Files of a workspace that agents load: their names are known without reading them. */
const WHERE: readonly Where[] = [
  {
    kind: 'instructions',
    folder: '',
    file: /^(?:CLAUDE|CLAUDE\.local|AGENTS|GEMINI|QWEN)\.md$/u,
  },
  { kind: 'instructions', folder: '.claude', file: /^CLAUDE\.md$/u },
  { kind: 'instructions', folder: '.github', file: /^copilot-instructions\.md$/u },
  { kind: 'rule', folder: '.claude/rules', file: /\.md$/u },
  { kind: 'rule', folder: '.cursor/rules', file: /\.mdc?$/u },
  { kind: 'rule', folder: '.clinerules', file: /\.(?:md|txt)$/u },
  { kind: 'skill', folder: '.claude/skills', file: /^SKILL\.md$/u, inside: true },
  { kind: 'skill', folder: '.agents/skills', file: /^SKILL\.md$/u, inside: true },
]

/** Entries of a folder that are looked at. */
const MOST = 1000
const DEEPEST = 3

/** [X21] Labels of the sources in the files of a workspace, each once. A folder that cannot be read has none. */
export async function knownSources(root: string): Promise<readonly string[]> {
  const labels = new Set<string>()
  for (const where of WHERE) {
    const depth = where.kind === 'instructions' ? 0 : DEEPEST
    for (const name of await sourcesIn(join(root, where.folder), where, depth))
      labels.add(sourceLabel({ kind: where.kind, name }))
  }
  return [...labels]
}

async function sourcesIn(folder: string, where: Where, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names: string[] = []
  for (const entry of entries.slice(0, MOST)) {
    if (entry.isFile() && where.file.test(entry.name))
      names.push(where.inside === true ? basename(folder) : entry.name)
    else if (entry.isDirectory() && depth > 0)
      for (const name of await sourcesIn(join(folder, entry.name), where, depth - 1))
        names.push(name)
  }
  return names
}
