import type { Feature } from '../../app/feature.ts'
import { ComparePanel } from './compare.tsx'
import './compare.css'

export const compare: Feature = {
  dockPanel: {
    id: 'compare',
    title: 'Compare',
    about: 'Two presets, files, revisions or the draft, turn by turn',
    key: 'w',
    what: 'Compare two configurations',
    Panel: ComparePanel,
  },
}
