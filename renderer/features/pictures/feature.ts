import { type Feature, opens } from '../../app/feature.ts'
import { store } from '../../app/store.ts'
import { FolderPicture } from './folder-picture.tsx'
import { timelineAs } from './pictures.ts'
import { PicturesDialog } from './pictures-dialog.tsx'
import './pictures.css'

const folderInView = {
  words: 'with a folder of the library in view',
  holds: () => store.getState().folders.shown !== null,
}

/** [U157] Pictures of what is on screen. */
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
