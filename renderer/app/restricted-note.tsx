import { ShieldAlert } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { valueOf } from './async-data.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'

/** [V39] In settings: something of them may be off until the person trusts the workspace. Else nothing. */
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
