import { Save } from 'lucide-react'
import { useState } from 'react'
import { pageAsFile } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'

/** [U127] The page as a file again, with labels and edits: also the way back into Turnscope. */
export function SavePage() {
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? 'session.jsonl')
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const text = await pageAsFile()
      download([text], `${name.replace(/\.jsonl$/u, '')}.html`, 'text/html')
    } catch (error) {
      patchView({ notice: failureOf(error, 'Save this page') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button className="button-wide mt-6" disabled={busy} onClick={() => void save()}>
        <Save size={15} aria-hidden />
        Open in Turnscope…
      </Button>
      <p className="quiet text-xs mt-6">
        Saves this page with your labels and edits. Drop the file into a window of Turnscope, or run{' '}
        <code>turnscope open FILE.html</code>: session, labels and draft come along.
      </p>
    </>
  )
}
