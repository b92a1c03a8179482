import { type Feature, opens } from '../../app/feature.ts'
import { CollectionsDialog } from './collections.tsx'
import './collections.css'

export const collections: Feature = {
  machine: true,
  dialogs: { collections: CollectionsDialog },
  commands: {
    Application: {
      collections: ['Z', 'Collections and embedders', opens('collections'), { always: true }],
    },
  },
}
