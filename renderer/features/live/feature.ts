import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import './live.css'

const LiveDialog = onDemand(async () => (await import('./live-dialog.tsx')).LiveDialog)

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
