import { has } from '../../app/api.ts'
import type { DockPanel, Feature } from '../../app/feature.ts'
import { stepFlip } from '../../stores/flips/flips.ts'
import { canWalk, ofDraft, walk } from './walk.ts'
import { FlipCount, FlipsPanel } from './flips.tsx'
import './flips.css'

const only = { words: 'while comparing', holds: canWalk }

const dockPanel: DockPanel = {
  id: 'flips',
  title: 'Flips',
  about: 'Turns that the draft decides differently',
  key: 'i',
  what: 'Flips of the draft',
  Aside: FlipCount,
  Panel: FlipsPanel,
}

export const flips: Feature = {
  // [U120] The corpus that the panel asks about is made of texts.
  ...(has('text') ? { dockPanel } : {}),
  walk: { holds: ofDraft, step: (by) => void stepFlip(by) },
  commands: {
    Move: {
      'next-flip': ['n', 'Next flip', () => walk(1), { only }],
      'previous-flip': ['p', 'Previous flip', () => walk(-1), { only }],
    },
  },
}
