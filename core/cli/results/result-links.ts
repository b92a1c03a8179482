import type { ResultsPlace } from '../../engine/schema/results.ts'
import type { Results } from '../../host/results/results.ts'
import { findSource } from '../../host/results/source-file.ts'
import type { LinkTo } from '../kit/links.ts'

/** Where a row of results opens; null: nowhere, for its source is gone or is another file now. */
export type RowPlaces = (row: ResultsPlace) => Promise<LinkTo | null>

/**
 * [F189] Places of rows of results. A turn of a transcript is named by the id of its session, which the row has; a row of
 * a table by the results, the source and the session (F142).
 * @param base where relative paths of sources start
 */
export function rowPlaces({ files }: Pick<Results, 'files'>, base: string): RowPlaces {
  const sources = new Map<string, ReturnType<typeof sourceAt>>()
  const sourceAt = (file: string) => findSource(files, file, base).catch(() => null)
  return async ({ file, session, turn }) => {
    const finding = sources.get(file) ?? sourceAt(file)
    sources.set(file, finding)
    const source = await finding
    if (source === null) return null
    if (source.planned.kind !== 'transcript') return { results: files.folder, file, session, turn }
    const [path, id] = [source.path, session.slice(file.length + 1)]
    return session.startsWith(`${file}#`) && id !== '' ? { file: path, session: id, turn } : null
  }
}
