import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { selfSignalsLane } from './lane-row.tsx'
import { SelfChips } from './self-chips.tsx'
import './self-signals.css'

const SelfSignalTab = onDemand(async () => (await import('./self-signal.tsx')).SelfSignalTab)

export const selfSignals: Feature = {
  needs: 'text',
  lanes: [selfSignalsLane],
  slots: { RowVerdict: SelfChips },
  tab: {
    id: 'signals',
    title: 'Signals',
    about: 'Self-signals: what the agent says about its own state',
    group: 'What the agent says',
    key: '4',
    what: 'Signals of the agent',
    Content: SelfSignalTab,
  },
}
