import { ShieldAlert, ShieldCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { copyAsItIs, forgetCopied } from './copy.ts'
import { useApp } from './use-store.ts'
import { counted } from '../ui/format.ts'

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
      <button type="button" className="link" onClick={() => void copyAsItIs(copied.text)}>
        Copy as it is
      </button>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={forgetCopied}>
        <X size={13} aria-hidden />
      </button>
    </div>
  )
}
