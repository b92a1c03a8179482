import type { OpenDriver, OpenStore, StoreKind, StorePlace } from '../ports.ts'

/**
 * Where a collection's vectors can be. A driver is loaded when a collection names it, and not before.
 * The local store is ours; the others are add-ons, and this table is all that knows them.
 */
const DRIVERS: { readonly [K in StoreKind]: () => Promise<OpenDriver<K>> } = {
  local: async () => (await import('./local/local-store.ts')).openLocalStore,
  lancedb: async () => (await import('./addons/lancedb/driver.ts')).openLance,
  pgvector: async () => (await import('./addons/pgvector/driver.ts')).openPgvector,
  qdrant: async () => (await import('./addons/qdrant/driver.ts')).openQdrant,
}

async function open<K extends StoreKind>(kind: K, place: StorePlace<K>) {
  const driver: OpenDriver<K> = await DRIVERS[kind]()
  return await driver(place)
}

/** Opens the store that an entry of collections.yaml names; without one, the local store. */
export const openStore: OpenStore = ({ entry, folder, env }) => {
  const { name: collection, store = { kind: 'local' } } = entry
  return open(store.kind, { collection, store, folder, env })
}
