import { type Feature, opens } from '../../app/feature.ts'
import { UpdatesDialog } from './updates-dialog.tsx'
import './updates.css'

/** [U211] Updates of the desktop application: nothing happens by itself. */
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
