import { failureOf, host } from './host.ts'
import type { HandedFile } from './file-handles.ts'
import { sendHanded } from './handed-files.ts'
import { openOffered, openSource } from './open.ts'
import { type ShownSource, patchDocument, patchView, store } from './store.ts'

/** [I97] Opens the first of several that can be opened; the others stay a choice away. */
export async function openTogether(
  files: ReadonlyArray<HandedFile | Extract<ShownSource, { kind: 'path' }>>,
): Promise<void> {
  patchDocument({ files: [] })
  patchView({ notice: null })
  for (const file of files) {
    try {
      offer('kind' in file ? file : await sent(file))
    } catch (error) {
      const name = 'kind' in file ? file.path : file.file.name
      patchView({ notice: failureOf(error, name) })
    }
  }
}

async function sent(handed: HandedFile): Promise<ShownSource> {
  return { kind: 'upload', name: handed.file.name, upload: await sendHanded(handed, () => true) }
}

/** Opens the file immediately, unless an earlier one is on screen or being opened. */
function offer(source: ShownSource): void {
  const { files } = store.getState().document
  patchDocument({ files: [...files, { source, failure: null }] })
  if (files.every(({ failure }) => failure !== null)) openOffered(source)
}

/** Opens files by their paths: one as it is, several together. */
export function openPaths(paths: readonly string[]): void {
  const sources = paths.map((path) => ({ kind: 'path', path }) as const)
  const [first, ...others] = sources
  if (first && others.length === 0) openSource(first)
  else void openTogether(sources)
}

/** The native dialog, if the host has one. */
export async function openDialog(): Promise<void> {
  try {
    const { paths } = await host().call('dialog.open', {})
    openPaths(paths)
  } catch (error) {
    patchView({ notice: failureOf(error, 'File dialog') })
  }
}
