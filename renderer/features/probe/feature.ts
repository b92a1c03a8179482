import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { followProbe, startProbe } from '../../stores/probe/probe.ts'
import { hitsLane, personaLane } from './lane-row.tsx'
import './probe.css'

const ProbeTab = onDemand(async () => (await import('./probe-tab.tsx')).ProbeTab)

export const probe: Feature = {
  machine: true,
  lanes: [hitsLane, personaLane],
  tab: {
    id: 'probe',
    title: 'Probe',
    about: 'What the message touches in the collections, and what follows from it',
    group: 'What the model gets',
    key: '9',
    Content: ProbeTab,
  },
  commands: {
    Application: {
      // An embedder on another machine may charge for every text.
      'probe-session': [[], 'Probe the messages of this session', startProbe, { does: 'money' }],
    },
  },
  start: followProbe,
}
