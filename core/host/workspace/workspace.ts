import { readdir, stat } from '../platform/files/fenced-fs.ts'
import { basename, extname, join, resolve } from 'node:path'
import { type Result, err, ok } from '../../engine/result.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import type { FormatMap } from '../../engine/schema/format-map.ts'
import { FORMATS_FOLDER } from '../../engine/schema/formats-folder.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import type { TrustPlace } from '../../engine/schema/trust.ts'
import { type Git, ownGit } from '../platform/git/git.ts'
import { isPlainName, safeFileName } from '../platform/names.ts'
import { parsedBefore } from '../automata/current.ts'
import { type TrustGate, openGate } from '../platform/trust/gate.ts'
import { trustPlace } from '../platform/trust/place.ts'
import type { DataFileRef, DataKind, DataValues, Loaded } from './data-kinds.ts'
import { fence } from '../platform/files/fence.ts'
import { fingerprintOf } from '../platform/files/fingerprint.ts'
import { cannotRead, readText } from '../platform/files/regular-file.ts'
import { type Saves, ownSaves } from './saves.ts'

/** Contents of a workspace, by folder. A name is the file's name without its extension. */
const KINDS = {
  presets: { folder: 'profiles/presets', extensions: ['.yaml', '.yml', '.json'], noun: 'preset' },
  domains: {
    folder: 'profiles/domains',
    extensions: ['.yaml', '.yml', '.json'],
    noun: 'domain file',
  },
  models: { folder: 'profiles/models', extensions: ['.json'], noun: 'model profile' },
  /** [I140] Mappings of transcripts in a format of one's own. */
  formats: { folder: FORMATS_FOLDER, extensions: ['.yaml', '.yml', '.json'], noun: 'format' },
} as const satisfies Readonly<Record<DataKind, object>>

/** [K19] Skill rules lie where their hook looks for them: of the workspace's own folder they are domain files too. */
export const SKILL_RULES_FILES = [
  '.claude/skills/skill-rules.json',
  '.claude/hooks/skill-rules.json',
]

/** The folder that holds presets, domain files and model profiles. */
export interface Workspace {
  readonly root: string
  /** The workspace, then what ships: the first that has a file wins. */
  readonly roots: readonly string[]
  /** Decides whether items that the workspace names may be used. */
  readonly trust: TrustGate
  readonly git: Git
  readonly saves: Saves
  list(kind: DataKind): Promise<readonly DataFileRef[]>
  /** The file that a name means. */
  find(kind: DataKind, name: string): Promise<Result<DataFileRef>>
  preset(name: string): Promise<Result<Loaded<Preset>>>
  domains(name: string): Promise<Result<Loaded<DomainFile>>>
  profile(name: string): Promise<Result<Loaded<ModelProfile>>>
  format(name: string): Promise<Result<Loaded<FormatMap>>>
}

/** Starts programs and writes files. A thread without rights asks the main process to do both. */
export interface Rights {
  readonly git: Git
  readonly saves: Saves
}

interface CacheEntry {
  readonly stamp: string
  readonly result: Promise<Result<Loaded<unknown>>>
}

/**
 * Opens a workspace folder. [F200] From now on no path below it leads out by a link. Files are read again only if their
 * size or time of change differs.
 * @param shipped a second folder of the same structure, used for files that the workspace lacks
 * @param place the inputs of trust decisions; if omitted, nothing that needs trust is allowed
 * @param rights if omitted, those of this process
 */
export function openWorkspace(
  root: string,
  shipped: string = root,
  place: TrustPlace = { ...trustPlace({ workspace: root, shipped, env: {} }), own: [] },
  rights?: Rights,
): Workspace {
  fence(root)
  const roots = [...new Set([resolve(root), resolve(shipped)])]
  const cache = new Map<string, CacheEntry>()
  const trust = openGate(place)

  async function load<Kind extends DataKind>(
    kind: Kind,
    name: string,
  ): Promise<Result<Loaded<DataValues[Kind]>>> {
    const file = await findFile(roots, kind, name)
    if (!file.ok) return file
    const { path } = file.value
    const info = await stat(path).catch(() => null)
    const stamp = `${info?.mtimeMs ?? 0}:${info?.size ?? 0}`
    const known = cache.get(path)
    const entry = known?.stamp === stamp ? known : { stamp, result: readAndParse(kind, file.value) }
    cache.set(path, entry)
    // A path belongs to one kind, and a kind to one type, so the cached value has this type.
    return (await entry.result) as Result<Loaded<DataValues[Kind]>>
  }

  return {
    root: resolve(root),
    roots,
    trust,
    ...(rights ?? { git: ownGit(trust), saves: ownSaves(resolve(root)) }),
    list: (kind) => listFiles(roots, kind),
    find: (kind, name) => findFile(roots, kind, name),
    preset: (name) => load('presets', name),
    domains: (name) => load('domains', name),
    profile: (name) => load('models', name),
    format: (name) => load('formats', name),
  }
}

/** Reads one file that the operator named by path (CLI): at any location, with the same checks. */
export async function loadDataFile<Kind extends DataKind>(
  kind: Kind,
  path: string,
): Promise<Result<Loaded<DataValues[Kind]>>> {
  return readAndParse(kind, {
    name: basename(path, extname(path)),
    path: resolve(path),
    shown: path,
  })
}

async function readAndParse<Kind extends DataKind>(
  kind: Kind,
  file: DataFileRef,
): Promise<Result<Loaded<DataValues[Kind]>>> {
  const read = await readDataText(file)
  if (!read.ok) return read
  const text = read.value
  const loaded = (value: DataValues[Kind]) =>
    ok({ value, fingerprint: fingerprintOf(text), text, file })
  // [C23] It was parsed as a file of this kind, and had no fault.
  const before = parsedBefore.read({ kind, name: file.shown, text })
  if (before !== undefined) return loaded(before as DataValues[Kind])
  const { PARSERS } = await import('./parsers.ts')
  const parsed = PARSERS[kind](text, file.shown)
  if (!parsed.ok) return parsed
  // A domain file is kept when its signals could be compiled.
  if (kind !== 'domains') parsedBefore.keep({ kind, name: file.shown, text }, parsed.value)
  return loaded(parsed.value)
}

/** The text of a file of the workspace. */
export async function readDataText({ path, shown }: DataFileRef): Promise<Result<string>> {
  try {
    return ok(await readText(path))
  } catch (error) {
    return err(cannotRead(error, shown))
  }
}

async function listFiles(
  roots: readonly string[],
  kind: DataKind,
): Promise<readonly DataFileRef[]> {
  const { folder, extensions } = KINDS[kind]
  const found = new Map<string, DataFileRef>()
  for (const root of roots) {
    const names = await readdir(join(root, folder)).catch(() => [])
    for (const file of names.toSorted()) {
      const extension = extname(file)
      if (!extensions.some((known) => known === extension) || !isPlainName(file)) continue
      const stem = basename(file, extension)
      // Two files of one stem keep their whole names, so that both can be chosen.
      const name = found.has(stem) ? file : stem
      if (root !== roots[0] && found.has(stem)) continue
      found.set(name, { name, path: join(root, folder, file), shown: `${folder}/${file}` })
    }
  }
  for (const file of kind === 'domains' ? await skillRulesIn(roots[0] ?? '') : []) {
    const name = [file.name, basename(file.path)].find((free) => !found.has(free))
    if (name !== undefined) found.set(name, { ...file, name })
  }
  return [...found.values()]
}

async function skillRulesIn(root: string): Promise<readonly DataFileRef[]> {
  const there = await Promise.all(
    SKILL_RULES_FILES.map(async (shown) => {
      const path = join(root, shown)
      const isFile = (await stat(path).catch(() => null))?.isFile() === true
      return isFile ? [{ name: basename(path, extname(path)), path, shown }] : []
    }),
  )
  return there.flat()
}

async function findFile(
  roots: readonly string[],
  kind: DataKind,
  name: string,
): Promise<Result<DataFileRef>> {
  const { folder, noun } = KINDS[kind]
  // [B10] only models may have names that are not file names (`vendor/model`).
  const wanted = kind === 'models' ? safeFileName(name) : name
  if (!isPlainName(wanted)) {
    return err({
      what: `not a ${noun}'s name`,
      where: `"${name}"`,
      do: `Use the name of a file in ${folder}, without folder`,
    })
  }
  const files = await listFiles(roots, kind)
  const file = files.find((f) => f.name === wanted || basename(f.path) === wanted)
  if (file) return ok(file)
  const known = files.map((f) => f.name).join(', ')
  return err({
    what: `there is no ${noun} "${name}"`,
    where: folder,
    do: known === '' ? `Put a file there` : `There are: ${known}`,
  })
}
