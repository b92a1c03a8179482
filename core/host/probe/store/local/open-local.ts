import { mkdirSync } from 'node:fs'
import { err, ok } from '../../../../engine/result.ts'
import type { OpenDriver } from '../../ports.ts'
import { openDatabase } from './database.ts'
import { checkMark, problemOf } from './failures.ts'
import { LocalStore } from './local-store.ts'

/** Opens the local store of a collection in its folder, which is made when it is missing. */
export const openLocalStore: OpenDriver<'local'> = ({ collection, folder }) => {
  try {
    mkdirSync(folder, { recursive: true })
    checkMark(folder)
    const store = new LocalStore(collection, folder, openDatabase(folder))
    try {
      store.start()
    } catch (error) {
      store.shut()
      throw error
    }
    return Promise.resolve(ok(store))
  } catch (error) {
    return Promise.resolve(err(problemOf(collection, error)))
  }
}
