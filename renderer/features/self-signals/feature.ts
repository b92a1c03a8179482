import type { Feature } from '../../app/feature.ts'
import { SelfSignalTab } from './self-signal.tsx'

export const selfSignals: Feature = {
  tab: {
    id: 'signals',
    title: 'Signals',
    about: 'Self-signals: what the agent says about its own state',
    key: '4',
    what: 'Signals of the agent',
    Content: SelfSignalTab,
  },
}
