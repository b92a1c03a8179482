import { type Feature, opens } from '../../app/feature.ts'
import { BuildDialog } from './build-dialog.tsx'
import { followBundles } from './bundle.ts'
import { BundleTab } from './bundle-tab.tsx'
import { tokensLane } from './lane-row.tsx'
import './bundle.css'

export const bundle: Feature = {
  needs: 'text',
  lanes: [tokensLane],
  tab: {
    id: 'bundle',
    title: 'Bundle',
    about: 'What a pipeline step gave the model, and where every piece came from',
    group: 'What the model gets',
    key: '7',
    Content: BundleTab,
  },
  dialogs: { bundle: BuildDialog },
  commands: {
    Application: {
      'build-bundle': ['u', 'Build a bundle…', opens('bundle'), { always: true }],
    },
  },
  start: followBundles,
}
