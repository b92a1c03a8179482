import { ShieldAlert, ShieldCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { counted } from '../ui/format.ts'
import { copyAsItIs, forgetCopied } from './copy.ts'
import { useApp } from './use-store.ts'

const SHOWN_MS = 8000

/** [U10] What was taken out of a copied text, and the way to copy it as it is. */
export function CopiedNote() {
  const copied = useApp((state) => state.view.copied)
  useEffect(() => {
    if (!copied || copied.refused) return undefined
    const timer = setTimeout(forgetCopied, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  if (!copied) return null
  const Icon = copied.refused ? ShieldAlert : ShieldCheck
  return (
    <div className="copied floating row text-s nowrap gap-9" role="status">
      <Icon size={15} className={copied.refused ? 'warn' : 'good'} aria-hidden />
      <span>
        {copied.refused ? (
          <>
            <strong>Not copied.</strong> The host could not look for secrets in this {copied.what}.
          </>
        ) : (
          <>
            <strong>Copied.</strong> {counted(copied.redacted, 'value')} redacted.
          </>
        )}
      </span>
      <Button kind="link" onClick={() => void copyAsItIs(copied.text)}>
        Copy as it is
      </Button>
      <IconButton icon={X} size={13} name="Dismiss" onClick={forgetCopied} />
    </div>
  )
}
