import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Handlers } from '../../../wire/rpc.ts'
import { discoverPlaces } from './discover.ts'
import type { Library } from './library.ts'

type FolderHandlers = Pick<
  Handlers<TurnscopeContract>,
  Exclude<Extract<keyof TurnscopeContract, `library.${string}`>, 'library.list' | 'library.forget'>
>

interface Places {
  readonly home: string
  readonly workspace: string
}

/** Methods about the folders of the library. */
export function createFolderHandlers(library: Library, places: Places): FolderHandlers {
  return {
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
      places: await discoverPlaces(places, signal),
    }),
  }
}
