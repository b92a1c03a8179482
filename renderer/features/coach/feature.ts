import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { proposeAll, proposeThis } from './run.ts'
import { verdictsLane } from './lane-row.tsx'
import { VerdictCount, VerdictsPanel } from './verdicts-panel.tsx'
import './coach.css'

const CoachRun = onDemand(async () => (await import('./coach-run.tsx')).CoachRun)
const CoachSettingsDialog = onDemand(
  async () => (await import('./coach-settings.tsx')).CoachSettingsDialog,
)
const CoachTab = onDemand(async () => (await import('./coach-tab.tsx')).CoachTab)

export const coach: Feature = {
  needs: 'text',
  lanes: [verdictsLane],
  tab: {
    id: 'coach',
    title: 'Coach',
    about: 'What the coach says of the agent’s output, and what it would send back',
    group: 'What the agent says',
    key: '8',
    Content: CoachTab,
  },
  dockPanel: {
    id: 'verdicts',
    title: 'Verdicts',
    about: 'What the coach says of every output of the agent',
    key: 'C',
    what: 'Verdicts of the coach',
    Aside: VerdictCount,
    Panel: VerdictsPanel,
  },
  dialogs: { coach: CoachSettingsDialog, 'coach-run': CoachRun },
  commands: {
    Application: {
      'coach-settings': ['V', 'Coach…', opens('coach'), { always: true, machine: true }],
      'coach-ask': [
        [],
        'Ask the model about this output',
        proposeThis,
        { machine: true, does: 'money', also: ['About this output'] },
      ],
      'coach-ask-all': [
        [],
        'Ask the model about all outputs',
        proposeAll,
        { machine: true, does: 'money', also: ['About all outputs'] },
      ],
    },
  },
}
