import { counted } from '../ui/format.ts'
import type { Failure } from './async-data.ts'
import { type OfferedFile, patchDocument, type ShownSource, store } from './store.ts'

export function isSameSource(a: ShownSource, b: ShownSource | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export interface AfterFailure {
  /** The file to try next. Null while one of the files is on screen, or if none is left. */
  readonly next: ShownSource | null
  readonly notice: Failure
}

/** [I97] Next step after one of several files cannot be opened. Null for a file that was opened alone. */
export function afterFailure(source: ShownSource, failure: Failure): AfterFailure | null {
  const { files: before, source: shown, opened } = store.getState().document
  if (!before.some((file) => isSameSource(file.source, source))) return null
  const files = before.map((file) =>
    isSameSource(file.source, source) ? { ...file, failure } : file,
  )
  patchDocument({ files })
  const isShown =
    opened.status === 'ready' &&
    files.some((file) => file.failure === null && isSameSource(file.source, shown))
  const next = isShown ? undefined : files.find((file) => file.failure === null)
  const failures = files.filter((file) => file.failure !== null)
  return {
    next: next?.source ?? null,
    notice: failures.length > 1 ? together(failures) : failure,
  }
}

/** [I84] Each by its own name. */
function together(failures: readonly OfferedFile[]): Failure {
  return {
    what: `${counted(failures.length, 'file')} could not be opened`,
    where: failures.map(({ source }) => nameIn(source)).join(', '),
    do: 'Choose one of them in the list of files to see why.',
  }
}

function nameIn(source: ShownSource): string {
  if (source.kind === 'upload') return source.name
  if (source.kind === 'result') return source.session
  return source.kind === 'path' ? lastOf(source.path) : source.id
}

/** The last part of a path of any system. */
export function lastOf(path: string): string {
  return path.split(/[\\/]/u).at(-1) ?? path
}
