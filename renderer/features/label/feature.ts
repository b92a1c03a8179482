import type { Feature } from '../../app/feature.ts'
import { followLabels, labelByKey } from './labels.ts'
import { LabelCount, LabelPanel } from './label.tsx'
import './label.css'

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
  onKey: labelByKey,
}
