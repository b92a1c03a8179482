import { type Feature, opens } from '../../app/feature.ts'
import { CoachLab } from './coach-lab.tsx'
import './coach-lab.css'

export const coachLab: Feature = {
  needs: 'text',
  dialogs: { 'coach-lab': CoachLab },
  commands: {
    Application: {
      'coach-lab': ['v', 'Coach lab', opens('coach-lab'), { always: true }],
    },
  },
}
