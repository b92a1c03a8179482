import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { followTrust } from './state.ts'
import { TrustBanner } from './trust-banner.tsx'
import './trust.css'

const TrustDialog = onDemand(async () => (await import('./trust-dialog.tsx')).TrustDialog)

/** [V39] The workspace's requests for trust, and the operator's answer. */
export const trust: Feature = {
  dialogs: { trust: TrustDialog },
  slots: { TopNote: TrustBanner },
  commands: {
    Application: {
      'workspace-trust': [
        'W',
        'Workspace trust',
        opens('trust'),
        { always: true, also: ['Restricted'] },
      ],
    },
  },
  start: followTrust,
}
