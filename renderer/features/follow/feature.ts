import type { Feature } from '../../app/feature.ts'
import { canFollow, stopFollow, toggleFollow } from './follow.ts'
import { FollowSwitch, NewTurns } from './follow-button.tsx'
import './follow.css'

const only = { words: 'files on disk', holds: canFollow }

export const follow: Feature = {
  machine: true,
  slots: { ListTool: FollowSwitch, ListEnd: NewTurns },
  hooks: { onLeave: stopFollow },
  actions: { 'follow-file': toggleFollow },
  commands: {
    Move: {
      follow: ['F', 'Follow the file while it is written', toggleFollow, { only, order: 2 }],
    },
  },
}
