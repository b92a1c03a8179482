import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { linkPart, readName } from '../../app/link.ts'
import { store } from '../../app/store.ts'
import { closeFolder } from './folders.ts'
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
