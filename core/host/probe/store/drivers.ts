import { itemOfServed } from '../../../engine/trust/items.ts'
import type { OpenDriver, OpenStore, StoreKind, StorePlace } from '../ports.ts'

/**
 * Locations of a collection's vectors. A driver is loaded only when a collection names it. The local store belongs to
 * the probe. The others are add-ons, and only this table imports them.
 */
const DRIVERS: { readonly [K in StoreKind]: () => Promise<OpenDriver<K>> } = {
  local: async () => (await import('./local/local-store.ts')).openLocalStore,
  lancedb: async () =>
    (await import('../../../../addons/vector-stores/lancedb/driver.ts')).openLance,
  pgvector: async () =>
    (await import('../../../../addons/vector-stores/pgvector/driver.ts')).openPgvector,
  qdrant: async () =>
    (await import('../../../../addons/vector-stores/qdrant/driver.ts')).openQdrant,
}

async function open<K extends StoreKind>(kind: K, place: StorePlace<K>): ReturnType<OpenDriver<K>> {
  const driver: OpenDriver<K> = await DRIVERS[kind]()
  return await driver(place)
}

/**
 * Opens the store that an entry of collections.yaml names; without one, the local store. [V35] A driver is
 * not even loaded before the gate was asked.
 */
export const openStore: OpenStore = async ({ entry, folder, env, trust }) => {
  const { name: collection, store = { kind: 'local' } } = entry
  if (store.kind === 'file')
    return (await import('./existing-file.ts')).openExistingFile(collection, store)
  if (store.kind === 'local')
    return open(store.kind, { collection, store, folder, env, permit: null })
  const permit = trust.may(itemOfServed(store), `store of ${collection}`)
  if (!permit.ok) return permit
  return open(store.kind, { collection, store, folder, env, permit: permit.value })
}
