import { ShieldAlert } from 'lucide-react'
import { valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { visible } from '../../ui/visible.ts'
import { offOf } from './words.ts'

/** [V39] Reports disabled items until the operator has answered for this list. */
export function TrustBanner() {
  const trust = useApp((state) => valueOf(state.document.trust))
  const seen = useApp((state) => state.view.trustSeen)
  if (trust?.standing !== 'restricted' || seen === trust.digest) return null
  return (
    <Banner tone="warn" icon={ShieldAlert} onDismiss={() => patchView({ trustSeen: trust.digest })}>
      <strong>Restricted: you have not trusted this workspace.</strong> Off: {visible(offOf(trust))}
      .{' '}
      <Button kind="link" onClick={() => patchView({ dialog: 'trust' })}>
        See what it names
      </Button>
    </Banner>
  )
}
