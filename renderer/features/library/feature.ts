import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { linkPart, readName } from '../../app/link.ts'
import { failureOf } from '../../app/host.ts'
import { patchView, store } from '../../app/store.ts'
import { closeFolder } from '../../app/folder-in-view.ts'
import { FolderView } from './folder-view.tsx'
import { addFolder, goToFolder, refreshFolder, refreshFolders } from './folders.ts'
import { Library } from './library.tsx'
import './library.css'

const AddFolder = onDemand(async () => (await import('./add-folder.tsx')).AddFolder)

function leaveFolder(): boolean {
  const isOpen = store.getState().folders.shown !== null
  if (isOpen) closeFolder()
  return isOpen
}

export const library: Feature = {
  machine: true,
  dialogs: { 'add-folder': AddFolder },
  screen: { of: ({ folders }) => folders.shown, Screen: FolderView },
  hooks: { onLists: refreshFolders, onLink: goToFolder, onRun: refreshFolder },
  actions: {
    'add-folder': (path) =>
      void addFolder(path).catch((error: unknown) => patchView({ notice: failureOf(error, path) })),
  },
  commands: {
    Application: {
      'add-folder': [
        'a',
        'Add a folder to the library',
        opens('add-folder'),
        { always: true, also: ['Open results of a batch'] },
      ],
    },
  },
  link: [
    linkPart('lib', 'library', {
      read: (text) => readName(text, 4096),
      of: ({ folders }) => folders.shown,
    }),
  ],
  escape: leaveFolder,
}

/** An exported page has it too: its sessions and presets. */
export const librarySide: Feature = { slots: { Side: Library } }
