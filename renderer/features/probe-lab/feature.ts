import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import './probe-lab.css'

const ProbeLab = onDemand(async () => (await import('./probe-lab.tsx')).ProbeLab)

export const probeLab: Feature = {
  machine: true,
  dialogs: { 'probe-lab': ProbeLab },
  commands: {
    Application: {
      'probe-lab': ['z', 'Probe lab', opens('probe-lab'), { always: true }],
    },
  },
}
