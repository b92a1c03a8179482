import type { Feature } from '../../app/feature.ts'
import { LABEL_KEYS } from '../../stores/label/label-keys.ts'
import {
  followLabels,
  labelByKey,
  lastStep,
  stepUnlabelled,
  undoLabel,
} from '../../stores/label/labels.ts'
import { LabelCount, LabelPanel } from './label.tsx'
import './label.css'

const labelled = { words: 'after a label', holds: () => lastStep() !== null }

export const label: Feature = {
  dockPanel: {
    id: 'label',
    title: 'Label',
    about: 'Say what turns should have been',
    key: 'L',
    what: 'Label turns',
    Aside: LabelCount,
    Panel: LabelPanel,
  },
  start: followLabels,
  walk: { holds: ({ view }) => view.dock === 'label', step: stepUnlabelled },
  onKey: labelByKey,
  paneKeys: {
    while: 'While Label or Queue has the keyboard',
    rows: [
      { keys: [...LABEL_KEYS], what: 'Label the selected turn', does: 'writes' },
      { keys: ['Delete', 'Backspace'], what: 'Remove its label', does: 'deletes' },
    ],
  },
  commands: {
    Lab: {
      'undo-label': [
        'mod+z',
        'Undo the last label',
        () => void undoLabel(),
        { only: labelled, order: 2, does: 'deletes', also: ['Undo'] },
      ],
    },
  },
}
