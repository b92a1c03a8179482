import type { Feature } from '../../app/feature.ts'
import { canWalk, walk } from './walk.ts'
import { FlipCount, FlipsPanel } from './flips.tsx'
import './flips.css'

const only = { words: 'while comparing', holds: canWalk }

export const flips: Feature = {
  dockPanel: {
    id: 'flips',
    title: 'Flips',
    about: 'Turns that the draft decides differently',
    key: 'i',
    what: 'Flips of the draft',
    Aside: FlipCount,
    Panel: FlipsPanel,
  },
  commands: {
    Move: {
      'next-flip': ['n', 'Next flip', () => walk(1), { only }],
      'previous-flip': ['p', 'Previous flip', () => walk(-1), { only }],
    },
  },
}
