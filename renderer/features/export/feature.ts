import { type Feature, opens } from '../../app/feature.ts'
import { ExportDialog } from './export-dialog.tsx'
import './export.css'

export const exporting: Feature = {
  dialogs: { export: ExportDialog },
  commands: {
    Application: {
      export: ['x', 'Export, with secrets taken out', opens('export')],
    },
  },
}
