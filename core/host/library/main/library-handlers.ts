import { stat } from '../../platform/files/fenced-fs.ts'
import { listSamples } from '../../transcripts/samples.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import { discoverPlaces } from './discover.ts'
import type { Library } from './library.ts'
import { RESULTS } from '../../results/main/results-at.ts'
import type { StateStore } from '../../settings/main/state-store.ts'
import type { Uploads } from '../../uploads/main/uploads.ts'

/** The shell's native dialogs; absent without a shell. */
export interface Dialogs {
  /** Paths of chosen files; none when cancelled. */
  open(): Promise<readonly string[]>
  /** Path of a chosen folder, or null when cancelled. */
  folder(): Promise<string | null>
  /** Path to write to, or null when cancelled. `suggested` is a file name. */
  save(suggested: string): Promise<string | null>
}

interface Around {
  readonly state: StateStore
  readonly uploads: Uploads
  readonly library: Library
  readonly shipped: string
  readonly workspace: string
  /** Folder in which tools keep their transcripts. */
  readonly home: string
  readonly dialogs: Dialogs | undefined
}

/** Settings, the library of files and folders, and files on their way in. */
export function createLibraryHandlers(
  around: Around,
): MainHandlersOf<'settings' | 'library' | 'dialog' | 'upload'> {
  const { state, uploads, library, shipped, workspace, home, dialogs } = around
  return {
    'settings.get': () => state.settings(),
    'settings.set': (patch) => state.change(patch),
    'library.list': async () => {
      const samples = await listSamples(shipped)
      const recent = (await state.recent()).map(async (entry) => {
        const info = await stat(entry.path).catch(() => null)
        return {
          ...entry,
          missing:
            entry.format === RESULTS ? info?.isDirectory() !== true : info?.isFile() !== true,
        }
      })
      return {
        samples: samples.map((entry) => entry.sample),
        recent: await Promise.all(recent),
        uploads: [...(await uploads.list())],
      }
    },
    'library.forget': async ({ path }) => {
      await state.forget(path)
      return {}
    },
    'library.folders': async () => ({ folders: await library.folders() }),
    'library.addFolder': ({ path }) => library.add(path),
    'library.removeFolder': async ({ path }) => {
      await library.remove(path)
      return {}
    },
    'library.entries': (asked) => library.entries(asked),
    'library.scan': (asked, { signal }) => library.scan(asked, signal),
    'library.find': (asked, { signal }) => library.find(asked, signal),
    'library.discover': async (_, { signal }) => ({
      places: await discoverPlaces({ home, workspace }, signal),
    }),
    'dialog.open': async () => {
      if (dialogs) return { paths: [...(await dialogs.open())] }
      throw noDialog('Drop a file, or type its path')
    },
    'dialog.folder': async () => {
      if (dialogs) return { path: await dialogs.folder() }
      throw noDialog('Type the path of the folder')
    },
    'dialog.save': async ({ suggested }) => {
      if (dialogs) return { path: await dialogs.save(suggested) }
      throw noDialog('Type a path, or let the browser save the file')
    },
    'upload.begin': async ({ name, bytes }) => ({ upload: await uploads.begin(name, bytes) }),
    'upload.renew': async ({ upload, bytes, from }) => ({
      from: await uploads.renew(upload, bytes, from),
    }),
    'upload.chunk': ({ upload, data }) => uploads.chunk(upload, data),
    'upload.remove': async ({ upload }) => {
      await uploads.remove(upload)
      return {}
    },
  }
}

function noDialog(advice: string) {
  return refusal({ what: 'there is no file dialog', where: 'a browser window', do: advice })
}
