import { failureOf, host } from './host.ts'
import { openSource } from './open.ts'
import { sendFile } from './send-file.ts'
import { type ShownSource, patchDocument, patchView, store } from './store.ts'

/** [I97] Opens the first of several that can be opened; the others stay a choice away. */
export async function openTogether(
  files: ReadonlyArray<File | Extract<ShownSource, { kind: 'path' }>>,
): Promise<void> {
  patchDocument({ files: [] })
  for (const file of files) {
    try {
      offer(file instanceof File ? await sent(file) : file)
    } catch (error) {
      const name = file instanceof File ? file.name : file.path
      patchView({ notice: failureOf(error, name) })
    }
  }
}

async function sent(file: File): Promise<ShownSource> {
  return { kind: 'upload', name: file.name, upload: await sendFile(file, () => true) }
}

/** Opened at once unless one of those before it is on screen, or on its way there. */
function offer(source: ShownSource): void {
  const { files } = store.getState().document
  patchDocument({ files: [...files, { source, failure: null }] })
  if (files.every(({ failure }) => failure !== null)) openSource(source)
}

/** Opens files by their paths: one as it is, several together. */
export function openPaths(paths: readonly string[]): void {
  const sources = paths.map((path) => ({ kind: 'path', path }) as const)
  const [first, ...others] = sources
  if (first && others.length === 0) openSource(first)
  else void openTogether(sources)
}

/** The native dialog where the host has one. */
export async function openDialog(): Promise<void> {
  try {
    const { paths } = await host().call('dialog.open', {})
    openPaths(paths)
  } catch (error) {
    patchView({ notice: failureOf(error, 'File dialog') })
  }
}
