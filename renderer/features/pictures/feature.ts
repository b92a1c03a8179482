import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { store } from '../../app/store.ts'
import { timelineAs } from './pictures.ts'
import './pictures.css'

const FolderPicture = onDemand(async () => (await import('./folder-picture.tsx')).FolderPicture)
const PicturesDialog = onDemand(async () => (await import('./pictures-dialog.tsx')).PicturesDialog)

const folderInView = {
  words: 'with a folder of the library in view',
  holds: () => store.getState().folders.shown !== null,
}

/** [U157] Pictures of the current view. */
export const pictures: Feature = {
  dialogs: { pictures: PicturesDialog, 'folder-picture': FolderPicture },
  commands: {
    Application: {
      pictures: [
        'I',
        'Pictures: timeline, transitions, budget, sessions',
        opens('pictures'),
        { also: ['Draw', 'Save as SVG or PNG', 'Map of transitions', 'Small multiples'] },
      ],
    },
    Menu: {
      'picture-copy': [[], 'Copy as picture', timelineAs.copied],
      'picture-svg': [[], 'Save SVG', timelineAs.svg],
      'picture-png': [[], 'Save PNG', timelineAs.png],
      'folder-picture': [
        [],
        'Picture of this folder',
        opens('folder-picture'),
        { always: true, machine: true, only: folderInView },
      ],
    },
  },
}
