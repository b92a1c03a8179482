import { type Feature, opens } from '../../app/feature.ts'
import { CoachRun } from './coach-run.tsx'
import { CoachSettingsDialog } from './coach-settings.tsx'
import { CoachTab } from './coach-tab.tsx'
import { proposeAll, proposeThis } from './run.ts'
import { verdictsLane } from './lane-row.tsx'
import './coach.css'

export const coach: Feature = {
  lanes: [verdictsLane],
  tab: {
    id: 'coach',
    title: 'Coach',
    about: 'What the coach says of the agent’s output, and what it would send back',
    key: '8',
    Content: CoachTab,
  },
  dialogs: { coach: CoachSettingsDialog, 'coach-run': CoachRun },
  commands: {
    Application: {
      'coach-settings': ['V', 'Coach…', opens('coach'), { always: true, machine: true }],
      'coach-ask': ['q', 'Ask the model about this output', proposeThis, { machine: true }],
      'coach-ask-all': ['Q', 'Ask the model about all outputs', proposeAll, { machine: true }],
    },
  },
}
