import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { BroughtBanner } from './brought.tsx'
import { SavePage } from './save-page.tsx'
import './export.css'

const ExportDialog = onDemand(async () => (await import('./export-dialog.tsx')).ExportDialog)

export const exporting: Feature = {
  dialogs: { export: ExportDialog },
  slots: { Banner: BroughtBanner, PageFoot: SavePage },
  commands: {
    Application: {
      export: ['x', 'Export, with secrets taken out', opens('export')],
    },
  },
}
