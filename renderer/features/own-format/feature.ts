import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { openFormats } from './state.ts'
import './own-format.css'

const FormatsDialog = onDemand(async () => (await import('./formats-dialog.tsx')).FormatsDialog)

/** [U185] Mappings of transcripts in a format of one's own. */
export const ownFormat: Feature = {
  machine: true,
  dialogs: { formats: FormatsDialog },
  actions: { 'write-mapping': openFormats },
  commands: {
    Application: {
      formats: [
        '+',
        'Formats of your own: write a mapping',
        () => openFormats(),
        { always: true, machine: true, also: ['Write a mapping', 'Mapping', 'Import'] },
      ],
    },
  },
}
