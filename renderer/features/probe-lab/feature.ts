import { type Feature, opens } from '../../app/feature.ts'
import { ProbeLab } from './probe-lab.tsx'
import './probe-lab.css'

export const probeLab: Feature = {
  machine: true,
  dialogs: { 'probe-lab': ProbeLab },
  commands: {
    Application: {
      'probe-lab': ['z', 'Probe lab', opens('probe-lab'), { always: true }],
    },
  },
}
