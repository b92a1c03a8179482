import type { StoredUpload } from '../../core/wire/uploads.ts'
import { failureOf, host } from './host.ts'
import { createQuery } from './query.ts'
import { call } from './question.ts'
import { documentPlace, patchView } from './store.ts'

const library = createQuery({ place: documentPlace('library') })

/** Reloads the samples and the recent files. */
export function refreshLibrary(): Promise<void> {
  return library.ask(call('library.list', {}, { where: 'Library' }))
}

/** Takes a file out of the recent ones. */
export async function forgetRecent(path: string): Promise<void> {
  await host().call('library.forget', { path })
  await refreshLibrary()
}

/** [I96] Removes a stored upload. Its labels stay. */
export async function removeUpload({ upload, name }: StoredUpload): Promise<void> {
  try {
    await host().call('upload.remove', { upload })
  } catch (error) {
    patchView({ notice: failureOf(error, name) })
  }
  await refreshLibrary()
}
