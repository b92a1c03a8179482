import { ShieldAlert } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { valueOf } from './async-data.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'

/**
 * [V39] Shown in settings: some of them may be disabled until the operator trusts the workspace. Renders nothing else.
 */
export function RestrictedNote() {
  const isRestricted = useApp((state) => valueOf(state.document.trust)?.standing === 'restricted')
  if (!isRestricted) return null
  return (
    <p className="warning" role="note">
      <ShieldAlert size={13} aria-hidden /> <strong>Restricted.</strong> Addresses, models and
      drivers that this workspace names are off until you trust it.{' '}
      <Button kind="link" onClick={() => patchView({ dialog: 'trust' })}>
        Workspace trust
      </Button>
    </p>
  )
}
