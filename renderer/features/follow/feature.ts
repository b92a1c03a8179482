import type { Feature } from '../../app/feature.ts'
import { canFollow, toggleFollow } from './follow.ts'
import './follow.css'

const only = { words: 'files on disk', holds: canFollow }

export const follow: Feature = {
  machine: true,
  commands: {
    Move: {
      follow: ['F', 'Follow the file while it is written', toggleFollow, { only, order: 2 }],
    },
  },
}
