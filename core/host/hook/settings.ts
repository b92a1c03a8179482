import { basename, dirname, join, sep } from 'node:path'
import { z } from 'zod'
import { type Problem, type Result, err, ok, parseJson } from '../../engine/result.ts'
import { fileBehind, isMissing, saveText, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { mkdir, realpath, rm } from '../platform/files/fenced-fs.ts'
import { textIfThere } from '../platform/files/regular-file.ts'
import type { HookAgent } from './agents.ts'
import { namesMachine } from './program.ts'

const Entries = z.array(z.unknown())
const Settings = z.record(z.string(), z.unknown())

/** The change to a settings file. The texts are equal if nothing changes; null means that the file does not exist. */
export interface SettingsChange {
  readonly path: string
  readonly place: SettingsPlace
  readonly before: string | null
  readonly after: string | null
}

/** A file of settings. */
export interface SettingsPlace {
  /** The home folder, or that of a project. */
  readonly root: string
  /**
   * `user`: of all projects. `shared`: of the project, committed with it. `local`: of this user in the project, not
   * committed; available only if the agent has such a file.
   */
  readonly of: 'user' | 'shared' | 'local'
}

/** Path of an agent's settings below the project or the home folder. */
export function settingsPath({ settings }: HookAgent, { root, of }: SettingsPlace): string {
  const file = of === 'local' ? (settings.local ?? settings.file) : settings.file
  return join(root, ...file.split('/'))
}

/**
 * [F175] The settings with our hook, exactly once: an older entry of ours is replaced, and the rest stays. Fails if the
 * file is not a JSON object, or lists hooks in an undocumented form. [F197] Fails if a link leads out of the project,
 * or if a shared file would contain a path of this machine.
 */
export async function withHook(
  agent: HookAgent,
  place: SettingsPlace,
  command: string,
): Promise<Result<SettingsChange>> {
  if (place.of === 'shared' && namesMachine(command))
    return err({
      what: `the command names a path of this machine, and the file is shared with others: ${command}`,
      where: settingsPath(agent, place),
      do: 'Use --user, or install Turnscope for your account (npm install --global turnscope) and leave out options that are paths',
    })
  return changed(agent, place, (settings, entries) => {
    const { also = {}, entry, event } = agent.settings
    const hooks = hooksOf(settings)
    return {
      ...also,
      ...settings,
      hooks: { ...hooks, [event]: [...entries, entry(command)] },
    }
  })
}

/** [F176] The settings without our hook, and without the lists that it was alone in. */
export function withoutHook(agent: HookAgent, place: SettingsPlace) {
  return changed(agent, place, (settings, entries) => {
    const { also = {}, event } = agent.settings
    const { hooks: all, ...rest } = settings
    if (all === undefined) return settings
    const others = Object.entries(hooksOf(settings)).filter(([name]) => name !== event)
    const hooks =
      entries.length > 0 ? { ...hooksOf(settings), [event]: entries } : Object.fromEntries(others)
    if (Object.keys(hooks).length > 0) return { ...settings, hooks }
    return Object.keys(rest).every((key) => key in also) ? null : rest
  })
}

type JsonObject = Readonly<Record<string, unknown>>

const hooksOf = (settings: JsonObject): JsonObject => Settings.catch({}).parse(settings['hooks'])

async function changed(
  agent: HookAgent,
  place: SettingsPlace,
  change: (settings: JsonObject, others: readonly unknown[]) => JsonObject | null,
): Promise<Result<SettingsChange>> {
  const path = settingsPath(agent, place)
  const outside = await leadsOut(path, place)
  if (outside !== null) return err(outside)
  const text = await textIfThere(path)
  if (text !== null && !text.ok) return err(text.error)
  const before = text?.value ?? null
  const settings = settingsIn(agent, path, before ?? '{}')
  if (!settings.ok) return settings
  const entries = Entries.catch([]).parse(hooksOf(settings.value)[agent.settings.event])
  const after = change(
    settings.value,
    entries.filter((entry) => !isOurs(entry, agent.name)),
  )
  if (after === null) return ok({ path, place, before, after: null })
  const written = `${JSON.stringify(after, null, indentOf(before))}\n`
  const isSame = JSON.stringify(after) === JSON.stringify(settings.value)
  return ok({ path, place, before, after: isSame ? before : written })
}

function settingsIn(
  { label, settings }: HookAgent,
  path: string,
  text: string,
): Result<JsonObject> {
  const advice = 'Mend it by hand; nothing was changed'
  const value = parseJson(text.trim() === '' ? '{}' : text.replace(/^\uFEFF/u, ''))
  if (!value.ok) return err({ what: `this is no JSON (${value.error})`, where: path, do: advice })
  const parsed = Settings.safeParse(value.value)
  const hooks = parsed.success ? (parsed.data['hooks'] ?? {}) : {}
  const entries = Settings.safeParse(hooks).data?.[settings.event] ?? []
  const fits = Settings.safeParse(hooks).success && Entries.safeParse(entries).success
  if (parsed.success && fits) return ok(parsed.data)
  const what = `these are not the settings of ${label}: hooks has to be an object of lists`
  return err({ what, where: path, do: advice })
}

/** A command of ours for this agent, wherever an entry keeps it. */
function isOurs(entry: unknown, agent: string): boolean {
  const text = JSON.stringify(entry)
  return /turnscope/iu.test(text) && text.includes(`hook --agent ${agent}`)
}

/** The file's own indentation: the blanks before its first member. */
function indentOf(text: string | null): string | number {
  return /^\s*\{\r?\n([ \t]+)"/u.exec(text ?? '')?.[1] ?? 2
}

/** The commands of ours for an agent in a file of settings; none when it is missing or cannot be read. */
export async function installedCommands(
  agent: HookAgent,
  place: SettingsPlace,
): Promise<readonly string[]> {
  const path = settingsPath(agent, place)
  const text = await textIfThere(path)
  const settings = text?.ok === true ? settingsIn(agent, path, text.value) : null
  if (settings?.ok !== true) return []
  const entries = Entries.catch([]).parse(hooksOf(settings.value)[agent.settings.event])
  return entries.filter((entry) => isOurs(entry, agent.name)).flatMap((entry) => commandsIn(entry))
}

function commandsIn(entry: unknown): readonly string[] {
  const own = Settings.catch({}).parse(entry)
  const inner = Entries.catch([]).parse(own['hooks'])
  return [own, ...inner.map((each) => Settings.catch({}).parse(each))].flatMap(({ command }) =>
    typeof command === 'string' ? [command] : [],
  )
}

/** [F197] Why the project's settings may not be written: a link in the path leads out of it. Null if none does. */
async function leadsOut(path: string, { root, of }: SettingsPlace): Promise<Problem | null> {
  // The user's own settings may be in a folder of their dotfiles.
  if (of === 'user') return null
  const target = await realTarget(path)
  const folder = await realpath(root)
  if (target.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return null
  return {
    what: `a link leads out of the project, to ${target}; nothing was changed`,
    where: path,
    do: 'Replace the link by a file, or change that file by hand',
  }
}

/** The target of a path after all links. Its last parts may not exist. */
async function realTarget(path: string): Promise<string> {
  const file = await fileBehind(path)
  const missing: string[] = []
  for (let at = file; ; at = dirname(at)) {
    const found = await realpath(at).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    if (found !== null) return join(found, ...missing)
    missing.unshift(basename(at))
  }
}

/** Writes a change. Creates missing folders. Rejects if a link now leads out of the project. */
export async function writeSettings(change: SettingsChange): Promise<void> {
  const { path, place, before, after } = change
  const outside = await leadsOut(path, place)
  if (outside !== null) throw new Error(`${path}: ${outside.what}`)
  if (after === null) {
    await rm(path, { force: true })
    return
  }
  await mkdir(dirname(path), { recursive: true })
  if (before === null) await writeFileAtomic(path, after)
  else await saveText(path, after)
}
