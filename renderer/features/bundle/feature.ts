import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { followBundles } from './bundle.ts'
import { tokensLane } from './lane-row.tsx'
import { StepBudget } from './step-budget.tsx'
import { StepRow, StepVerdict } from './step-row.tsx'
import './bundle.css'

const BuildDialog = onDemand(async () => (await import('./build-dialog.tsx')).BuildDialog)
const BundleTab = onDemand(async () => (await import('./bundle-tab.tsx')).BundleTab)

export const bundle: Feature = {
  needs: 'text',
  lanes: [tokensLane],
  slots: { StepBudget },
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

/** [U120] Steps are listed as such also in a page without texts. */
export const stepRows: Feature = {
  slots: { StepText: StepRow, RowVerdict: StepVerdict },
}
