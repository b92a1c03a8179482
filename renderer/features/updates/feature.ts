import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import './updates.css'

const UpdatesDialog = onDemand(async () => (await import('./updates-dialog.tsx')).UpdatesDialog)

/** [U211] Updates of the desktop application. Nothing runs automatically. */
export const updates: Feature = {
  machine: true,
  dialogs: { updates: UpdatesDialog },
  commands: {
    Application: {
      updates: [
        [],
        'Updates',
        opens('updates'),
        { always: true, machine: true, also: ['Version'] },
      ],
    },
  },
}
