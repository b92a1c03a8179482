import { type Feature, opens } from '../../app/feature.ts'
import { followTrust } from './state.ts'
import { TrustDialog } from './trust-dialog.tsx'
import './trust.css'

/** [V39] What the opened workspace may use, and the person's answer. */
export const trust: Feature = {
  dialogs: { trust: TrustDialog },
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
