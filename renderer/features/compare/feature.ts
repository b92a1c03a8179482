import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { followDraft, followWantedDraft } from './state.ts'
import './compare.css'

const ComparePanel = onDemand(async () => (await import('./compare.tsx')).ComparePanel)

export const compare: Feature = {
  dockPanel: {
    id: 'compare',
    title: 'Compare',
    about: 'Another preset, file, revision, the draft or what ran, turn by turn',
    key: 'w',
    what: 'Compare with another side',
    Panel: ComparePanel,
  },
  start: () => {
    followDraft()
    followWantedDraft()
  },
}
