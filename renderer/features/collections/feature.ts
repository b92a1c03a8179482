import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import './collections.css'

const CollectionsDialog = onDemand(
  async () => (await import('./collections.tsx')).CollectionsDialog,
)

export const collections: Feature = {
  machine: true,
  dialogs: { collections: CollectionsDialog },
  commands: {
    Application: {
      collections: ['Z', 'Collections and embedders', opens('collections'), { always: true }],
    },
  },
}
