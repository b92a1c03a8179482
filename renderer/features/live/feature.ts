import { type Feature, opens } from '../../app/feature.ts'
import { LiveDialog } from './live-dialog.tsx'
import './live.css'

/** [U210] Sessions of running coding agents, as their hooks record them. */
export const live: Feature = {
  machine: true,
  dialogs: { live: LiveDialog },
  commands: {
    Application: {
      live: [
        [],
        'Live sessions of coding agents',
        opens('live'),
        { always: true, machine: true, also: ['Hooks', 'Answer hooks'] },
      ],
    },
  },
}
