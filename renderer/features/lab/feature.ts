import type { Feature } from '../../app/feature.ts'
import { linkPart, readOneOf } from '../../app/link.ts'
import { followLab } from './follow.ts'
import { LabPanel } from './lab.tsx'
import { STUDIES } from './studied.tsx'
import './lab.css'

export const lab: Feature = {
  needs: 'text',
  dockPanel: {
    id: 'lab',
    title: 'Lab',
    about: 'Metrics, matrix, coverage, ablation, what-if, suggestions, proposals, weights, lint',
    key: 'h',
    what: 'Lab: metrics, matrix, what-if, lint',
    Panel: LabPanel,
  },
  link: [
    linkPart('study', 'study', {
      read: (text) => readOneOf(STUDIES, text),
      of: ({ view }) => (view.dock === 'lab' ? view.study : null),
    }),
  ],
  start: followLab,
}
