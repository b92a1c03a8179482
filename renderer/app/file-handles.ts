/** A browser's handle of an operator's file (File System Access API). The DOM types lack these methods. */
export interface FileHandle extends FileSystemFileHandle {
  queryPermission(how: { readonly mode: 'read' }): Promise<PermissionState>
  /** Prompts the operator. Works only shortly after a key press or a click. */
  requestPermission(how: { readonly mode: 'read' }): Promise<PermissionState>
}

interface Browser {
  readonly showOpenFilePicker?: (options: {
    readonly id: string
    readonly multiple: boolean
  }) => Promise<readonly FileHandle[]>
}
interface DroppedItem extends DataTransferItem {
  readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

/** A file with the browser's handle, if one exists. The handle is used to find and read the file again. */
export interface HandedFile {
  readonly file: File
  readonly handle: FileHandle | null
}

/** Files that the operator chooses in the browser's dialog. Null if the browser has no dialog that gives handles. */
export async function pickFiles(): Promise<readonly HandedFile[] | null> {
  // The function is the browser's, or absent.
  const { showOpenFilePicker: pick } = globalThis as Browser
  if (pick === undefined) return null
  try {
    const handles = await pick.call(globalThis, { id: 'turnscope', multiple: true })
    return await Promise.all(
      handles.map(async (handle) => ({ file: await handle.getFile(), handle })),
    )
  } catch (error) {
    // Closed without a choice; or not to be had here, as in a frame of another page.
    return error instanceof DOMException && error.name === 'AbortError' ? [] : null
  }
}

/** The dropped files with their handles. Starts immediately, because the browser gives no handles after the event. */
export function droppedFiles(transfer: DataTransfer): Promise<readonly HandedFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  return Promise.all(
    items.flatMap((item: DroppedItem) => {
      const file = item.getAsFile()
      return file === null ? [] : [handed(file, item.getAsFileSystemHandle?.())]
    }),
  )
}

async function handed(
  file: File,
  asked: Promise<FileSystemHandle | null> | undefined,
): Promise<HandedFile> {
  const handle = await asked?.catch(() => null)
  // A handle that says that it is of a file is one.
  return { file, handle: handle?.kind === 'file' ? (handle as FileHandle) : null }
}

/** Whether the file may be read now. With `ask`, the browser may prompt the operator for permission. */
export async function mayRead(handle: FileHandle, ask: boolean): Promise<boolean> {
  const state = await handle.queryPermission({ mode: 'read' })
  if (state === 'granted' || !ask) return state === 'granted'
  return (await handle.requestPermission({ mode: 'read' })) === 'granted'
}
