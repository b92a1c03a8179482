import { dirname, join } from 'node:path'
import { mkdir, rm } from '../files/fenced-fs.ts'
import { z } from 'zod'
import { type Result, err, ok, parseJson } from '../../engine/result.ts'
import { saveText, writeFileAtomic } from '../files/atomic-file.ts'
import { textIfThere } from '../files/regular-file.ts'
import type { HookAgent } from './agents.ts'

const Entries = z.array(z.unknown())
const Settings = z.record(z.string(), z.unknown())

/** What becomes of a settings file: equal texts where nothing changes; null stands for no file. */
export interface SettingsChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Path of an agent's settings below the project or the home folder. */
export function settingsPath({ settings }: HookAgent, root: string): string {
  return join(root, ...settings.file.split('/'))
}

/**
 * [F175] The settings with our hook in them, once: an older entry of ours is replaced. All else stays as it is.
 * Fails where the file is no JSON object, or lists hooks in another way than is documented.
 */
export function withHook(agent: HookAgent, root: string, command: string) {
  return changed(agent, root, (settings, entries) => {
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
export function withoutHook(agent: HookAgent, root: string) {
  return changed(agent, root, (settings, entries) => {
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
  root: string,
  change: (settings: JsonObject, others: readonly unknown[]) => JsonObject | null,
): Promise<Result<SettingsChange>> {
  const path = settingsPath(agent, root)
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
  if (after === null) return ok({ path, before, after: null })
  const written = `${JSON.stringify(after, null, indentOf(before))}\n`
  const isSame = JSON.stringify(after) === JSON.stringify(settings.value)
  return ok({ path, before, after: isSame ? before : written })
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

/** As the file is written: what stands before its first member. */
function indentOf(text: string | null): string | number {
  return /^\s*\{\r?\n([ \t]+)"/u.exec(text ?? '')?.[1] ?? 2
}

/** Writes a change. Folders are made where they are missing. */
export async function writeSettings({ path, before, after }: SettingsChange): Promise<void> {
  if (after === null) {
    await rm(path, { force: true })
    return
  }
  await mkdir(dirname(path), { recursive: true })
  if (before === null) await writeFileAtomic(path, after)
  else await saveText(path, after)
}
