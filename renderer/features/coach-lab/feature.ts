import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import './coach-lab.css'

const CoachLab = onDemand(async () => (await import('./coach-lab.tsx')).CoachLab)

export const coachLab: Feature = {
  needs: 'text',
  dialogs: { 'coach-lab': CoachLab },
  commands: {
    Application: {
      'coach-lab': ['v', 'Coach lab', opens('coach-lab'), { always: true }],
    },
  },
}
