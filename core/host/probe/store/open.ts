import type { OpenStore } from '../ports.ts'
import { openLocalStore } from './local/open-local.ts'
import { openPgvector } from './remote/pgvector.ts'

/** Opens the store that an entry of collections.yaml names; without one, the local store. */
export const openStore: OpenStore = ({ entry, folder, env }) => {
  const { name: collection, store } = entry
  switch (store?.kind) {
    case 'pgvector':
      return openPgvector({ collection, env, urlEnv: store.urlEnv, table: store.table })
    default:
      return openLocalStore(collection, folder)
  }
}
