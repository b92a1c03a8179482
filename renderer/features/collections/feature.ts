import { type Feature, opens } from '../../app/feature.ts'
import { ProbeDesk } from './collections.tsx'
import './collections.css'

export const collections: Feature = {
  dialogs: { 'probe-desk': ProbeDesk },
  commands: {
    Application: {
      'probe-desk': ['Z', 'Collections and embedders', opens('probe-desk'), { always: true }],
    },
  },
}
