import type { OpenStore } from '../ports.ts'
import { openLocalStore } from './local/open-local.ts'

/** Opens the store that an entry of collections.yaml names; without one, the local store. */
export const openStore: OpenStore = ({ entry, folder }) => openLocalStore(entry.name, folder)
