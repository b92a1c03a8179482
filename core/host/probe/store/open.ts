import type { OpenStore } from '../ports.ts'
import { openLocalStore } from './local/open-local.ts'
import { openLance } from './remote/lancedb.ts'
import { openPgvector } from './remote/pgvector.ts'
import { openQdrant } from './remote/qdrant.ts'

/** Opens the store that an entry of collections.yaml names; without one, the local store. */
export const openStore: OpenStore = ({ entry, folder, env }) => {
  const { name: collection, store } = entry
  switch (store?.kind) {
    case undefined:
    case 'local':
      return openLocalStore(collection, folder)
    case 'pgvector':
      return openPgvector({ collection, env, urlEnv: store.urlEnv, table: store.table })
    case 'qdrant': {
      const { url, keyEnv } = store
      return openQdrant({ collection, env, url, keyEnv, name: store.collection })
    }
    case 'lancedb':
      return openLance({ collection, env, folder, uri: store.uri, table: store.table })
  }
}
