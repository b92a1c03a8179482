import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../engine/result.ts'
import { CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { DEFAULT_SETTINGS, Settings } from '../../../wire/shapes.ts'
import { readText as readRegular } from '../../platform/files/regular-file.ts'
import { openOlderState, Recent } from './older-state.ts'
import { type ReadText, type TopicFile, openTopicFile } from './topic-file.ts'

const MAX_RECENT = 20

export type Recent = Readonly<z.infer<typeof Recent>>

/** Topics of the state: each is a file, so that a change of one leaves all others alone. */
const View = Settings.omit({ coach: true, probe: true })
const Recents = z.array(Recent).max(1000)
const Folders = z.array(z.string()).max(1000)

type Partly<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** [F18] The changed fields. Omitted fields keep their value on disk, also within the coach and the probe. */
interface SettingsPatch extends Partly<Omit<Settings, 'coach' | 'probe'>> {
  readonly coach?: Partly<Settings['coach']> | undefined
  readonly probe?: Partly<Settings['probe']> | undefined
}

/** Settings and recent files of one user of one workspace, kept in `state/`, a file a topic. */
export interface StateStore {
  settings(): Promise<Settings>
  change(patch: SettingsPatch): Promise<Settings>
  /** Changes the probe's settings, based on their value at that moment. */
  changeProbe(edit: (probe: Settings['probe']) => Settings['probe']): Promise<Settings['probe']>
  recent(): Promise<readonly Recent[]>
  /** Puts a file on top of the list; one entry a path. */
  remember(entry: Recent): Promise<void>
  forget(path: string): Promise<void>
  /** Folders of the library, oldest first. */
  folders(): Promise<readonly string[]>
  addFolder(path: string): Promise<void>
  removeFolder(path: string): Promise<void>
  /** Resolves when everything said so far is on disk. */
  settled(): Promise<void>
}

/**
 * Opens the state of `folder`. An unusable state file is set aside as `NAME.bad`, defaults are used, and `say` receives
 * one line; nothing is thrown. The content of an older version's `state.json` is taken over with the first change.
 */
export function openStateStore(
  folder: string,
  say: (line: string) => void,
  readText: ReadText = readRegular,
): StateStore {
  const { view, coach, probe, recent, folders, takeOver } = openTopics(folder, say, readText)
  const running = new Set<Promise<unknown>>()

  /** Runs a change that `settled` waits for. */
  async function changing<T>(work: () => Promise<T>): Promise<T> {
    const done = takeOver().then(work)
    running.add(done)
    return await done.finally(() => running.delete(done))
  }
  const settings = async (): Promise<Settings> => ({
    ...(await view.value()),
    coach: await coach.value(),
    probe: await probe.value(),
  })

  return {
    settings,
    change: ({ coach: ofCoach, probe: ofProbe, ...ofView }) =>
      changing(async () => {
        const given = [set(view, ofView), set(coach, ofCoach), set(probe, ofProbe)]
        await Promise.all(given)
        return settings()
      }),
    changeProbe: (edit) => changing(() => probe.change(edit)),
    recent: () => recent.value(),
    remember: async (entry) => {
      await changing(() =>
        recent.change((old) =>
          [entry, ...old.filter(({ path }) => path !== entry.path)].slice(0, MAX_RECENT),
        ),
      )
    },
    forget: async (gone) => {
      await changing(() => recent.change((old) => old.filter(({ path }) => path !== gone)))
    },
    folders: () => folders.value(),
    addFolder: async (path) => {
      await changing(() => folders.change((old) => [...new Set([...old, path])]))
    },
    removeFolder: async (path) => {
      await changing(() => folders.change((old) => old.filter((each) => each !== path)))
    },
    settled: async () => {
      await Promise.allSettled(running)
    },
  }
}

function openTopics(folder: string, say: (line: string) => void, readText: ReadText) {
  const older = openOlderState(join(folder, 'state.json'), say, readText)
  type Older = Exclude<Awaited<ReturnType<typeof older.read>>, string | null>
  const topic = <T>(name: string, schema: z.ZodType<T>, empty: T, of: (state: Older) => T) => ({
    of,
    file: openTopicFile({
      path: join(folder, 'state', `${name}.json`),
      schema,
      empty,
      say,
      readText,
      older: async () => {
        const state = await older.read()
        return state === null || state === 'unread' ? state : of(state)
      },
    }),
  })
  const { coach: noCoach, probe: noProbe, ...noView } = DEFAULT_SETTINGS
  const view = topic('view', View, noView, ({ settings }) => View.parse(settings))
  const coach = topic('coach', CoachSettings, noCoach, ({ settings }) => settings.coach)
  const probe = topic('probe', ProbeSettings, noProbe, ({ settings }) => settings.probe)
  const recent = topic('recent', Recents, [], (state) => state.recent)
  const folders = topic('folders', Folders, [], (state) => state.folders)

  const takeOver = () =>
    older
      .takeOver(async (state) => {
        await view.file.begin(view.of(state))
        await coach.file.begin(coach.of(state))
        await probe.file.begin(probe.of(state))
        await recent.file.begin(recent.of(state))
        await folders.file.begin(folders.of(state))
      })
      .catch((error: unknown) => {
        say(`${folder}: the older state could not be taken over yet (${messageOf(error)}).`)
      })
  return {
    view: view.file,
    coach: coach.file,
    probe: probe.file,
    recent: recent.file,
    folders: folders.file,
    takeOver,
  }
}

/** Sets the fields that are given; without any, nothing is written. */
async function set<T extends object>(file: TopicFile<T>, patch: Partly<T> = {}): Promise<void> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0) await file.change((old) => ({ ...old, ...given }))
}

/** The same store with `preset` in force until a different one is chosen. */
export function startWith(store: StateStore, preset: string): StateStore {
  let forced: string | null = preset
  const shown = (settings: Settings) =>
    forced === null ? settings : { ...settings, preset: forced }
  return {
    ...store,
    settings: async () => shown(await store.settings()),
    change: async (patch) => {
      if (patch.preset !== undefined) forced = null
      return shown(await store.change(patch))
    },
  }
}
