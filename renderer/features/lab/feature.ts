import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { linkPart, readOneOf } from '../../app/link.ts'
import { followLab } from './follow.ts'
import { STUDIES } from '../../views/lab/studied.tsx'
import './lab.css'

const LabPanel = onDemand(async () => (await import('./lab.tsx')).LabPanel)

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
