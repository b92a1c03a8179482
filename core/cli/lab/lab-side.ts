import { stat } from '../../host/platform/files/fenced-fs.ts'
import { extname, dirname } from 'node:path'
import type { Side } from '../../engine/schema/lab.ts'
import { parseJson } from '../../engine/result.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { createDraftStore } from '../../host/drafts/session/draft-store.ts'
import { isSkillText } from '../../host/workspace/domains/skill-text.ts'
import { isRevision } from '../../host/platform/git/git.ts'
import type { Lab } from './lab-corpus.ts'
import { CommandError, valueOrFail } from '../kit/output.ts'
import { textIfThere } from '../../host/platform/files/regular-file.ts'

/** Kinds of things that a side may name; each may be written before a colon. */
const KINDS = ['preset', 'domains', 'rev'] as const
type Kind = (typeof KINDS)[number]

/**
 * [T43] One side of a comparison from its name: the path of a domain file or preset, a preset or domain file of the
 * workspace, a git revision, or `draft`. Reports a name that has two meanings. `preset:NAME`, `domains:NAME` and
 * `rev:NAME` choose one.
 */
export async function parseSide(lab: Lab, name: string, config: ReplayConfig): Promise<Side> {
  if (name === 'draft') return draftSide(lab, config)
  const [prefix, rest] = splitPrefix(name)
  if (prefix !== null) return sideOf(prefix, rest, config)
  if ((await stat(name).catch(() => null))?.isFile() === true) {
    return sideOf(await kindOfFile(name), name, config)
  }
  const folder = dirname(lab.side.files.domains.file.path)
  const revision = await isRevision(lab.workspace.trust, folder, name)
  const known: readonly boolean[] = [
    (await lab.workspace.find('presets', name)).ok,
    (await lab.workspace.find('domains', name)).ok,
    revision.ok && revision.value,
  ]
  const kinds = KINDS.filter((_, index) => known[index] === true)
  const [kind, other] = kinds
  if (kind === undefined) {
    // [V38] It may be a revision: git was not asked.
    if (!revision.ok) throw new CommandError(revision.error)
    const what = 'there is no file, preset, domain file or git revision of this name'
    throw new CommandError({ what, where: `"${name}"`, do: 'Check the name' })
  }
  if (other !== undefined) {
    const what = `this means several things (${kinds.join(', ')})`
    const choice = kinds.map((each) => `${each}:${name}`).join(' or ')
    throw new CommandError({ what, where: `"${name}"`, do: `Write ${choice}` })
  }
  return sideOf(kind, name, config)
}

function splitPrefix(name: string): readonly [Kind | null, string] {
  const kind = KINDS.find((each) => name.startsWith(`${each}:`)) ?? null
  return [kind, kind === null ? name : name.slice(kind.length + 1)]
}

function sideOf(kind: Kind, name: string, config: ReplayConfig): Side {
  if (kind === 'rev') return { kind: 'revision', config, revision: name }
  const changed = kind === 'preset' ? { preset: name } : { domains: name }
  return { kind: 'config', config: { ...config, ...changed } }
}

/** A file with `belief:` is a preset, one with `domains:` is a domain file. */
async function kindOfFile(path: string): Promise<Kind> {
  const found = await textIfThere(path)
  const text = found === null ? '' : valueOrFail(found)
  const known = ['.yaml', '.yml', '.json'].includes(extname(path))
  const names = known ? memberNames(path, text) : []
  if (names.includes('belief')) return 'preset'
  if (names.includes('domains') || (known && isSkillText(text))) return 'domains'
  const what = 'this is neither a domain file nor a preset'
  throw new CommandError({
    what,
    where: path,
    do: 'Name a YAML or JSON file with domains or belief',
  })
}

/**
 * Names of the outermost members. JSON may be in one line. YAML is read line by line, so that files with errors still
 * give names.
 */
function memberNames(path: string, text: string): readonly string[] {
  const json = extname(path) === '.json' ? parseJson(text) : null
  if (json?.ok === true) return Object.keys(Object(json.value) as object)
  return ['belief', 'domains'].filter((name) =>
    new RegExp(`^[ \\t{]*"?${name}"?\\s*:`, 'mu').test(text),
  )
}

async function draftSide({ workspace, sides }: Lab, config: ReplayConfig): Promise<Side> {
  const { file } = valueOrFail(await sides.saved(config))
  const { text, problem } = await createDraftStore(workspace, () => Date.now()).current(file)
  if (text !== null) {
    return { kind: 'draft', draft: { config, domainsText: text, options: {} } }
  }
  const what = problem ?? 'there is no draft of this domain file'
  throw new CommandError({ what, where: file.shown, do: 'Edit it in the window, or name a file' })
}
