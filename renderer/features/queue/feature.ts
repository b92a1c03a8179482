import type { Feature } from '../../app/feature.ts'
import { labelFrom } from '../../stores/label/labels.ts'
import { isSettling, noteLabel, stepQueue, viaOf } from './list.ts'
import { QueueCount, QueuePanel } from './queue.tsx'
import './queue.css'

/**
 * Turns to label next: likely errors of the rules, a random sample to compare with, and disagreements between readers.
 */
export const queue: Feature = {
  needs: 'text',
  start: () => labelFrom({ viaOf, isSettling, noteLabel }),
  walk: { holds: ({ view }) => view.dock === 'queue', step: stepQueue },
  dockPanel: {
    id: 'queue',
    title: 'Queue',
    about: 'Turns to label next: likely errors, and what readers differ in',
    key: 'U',
    what: 'Queue of turns to label',
    Aside: QueueCount,
    Panel: QueuePanel,
  },
}
