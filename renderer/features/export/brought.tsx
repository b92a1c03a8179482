import { useState } from 'react'
import { isPage } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { visible } from '../../ui/visible.ts'
import { openDock } from '../../app/dock.ts'
import { draftText, replaceText } from '../../stores/drafts/draft.ts'

/** [U126] Extras of an imported exported page. Its labels belong to the file; nothing else in it is in force. */
export function BroughtBanner() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const key = opened?.formatLabel === 'Exported page' && !isPage() ? opened.key : null
  const { data } = useQuery(
    key === null ? null : call('page.brought', { key }, { where: 'This page' }),
  )
  const [dismissed, setDismissed] = useState<string | null>(null)
  const brought = valueOf(data)?.brought ?? null
  if (brought === null || key === null || dismissed === key) return null
  const { labels, notes, draft, data: files } = brought
  const noted = notes === 0 ? '' : `, ${counted(notes, 'note')} among them`
  return (
    <Banner tone="warn" onDismiss={() => setDismissed(key)}>
      <strong>This came in an exported page</strong>
      {labels === 0 ? ', without labels.' : `, with ${counted(labels, 'label')}${noted}.`}{' '}
      {files.length > 0 && (
        <>
          It was replayed with files that are not used here:{' '}
          {files.map(({ kind, name }) => `${kind} ${visible(name)}`).join(', ')}.{' '}
        </>
      )}
      {draft !== null && (
        <>
          It has a draft of {visible(draft.file)} that was not saved.{' '}
          <Button kind="link" onClick={() => void takeDraft(draft.text)}>
            Look at it in Tune
          </Button>
        </>
      )}
    </Banner>
  )
}

/** Replaces the draft's text. Undo restores the previous text, and nothing is saved. */
async function takeDraft(text: string): Promise<void> {
  openDock('tune')
  if ((await draftText()) !== null) replaceText(text)
}
