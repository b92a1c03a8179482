import { useMemo, useState } from 'react'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Switch } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { WorkLine } from '../../ui/progress.tsx'
import { drawingFolder, themeInForce } from './pictures.ts'
import { PictureActions, Preview } from './preview.tsx'

const THEMES = [
  ['light', 'Light', 'White paper: for print'],
  ['dark', 'Dark', 'Dark paper: for slides'],
] as const

/** [U155] Small multiples of the folder in view: its files are read and replayed for it. */
export function FolderPicture({ onClose }: { readonly onClose: () => void }) {
  const folder = useApp((state) => state.folders.shown)
  const [theme, setTheme] = useState(themeInForce)
  const question = useMemo(
    () => (folder === null ? null : drawingFolder(folder, theme)),
    [folder, theme],
  )
  const { data, cancel } = useQuery(question)
  return (
    <Dialog title="Picture of the folder" className="pictures" onClose={onClose}>
      <div className="pictures-tools row wrap no-shrink line-below gap-12 pad-8-12">
        <Switch label="Paper" options={THEMES} value={theme} onChoose={setTheme} />
        <span className="grow" />
        <PictureActions drawn={data} />
      </div>
      <div className="pictures-body scroll grow" tabIndex={0} role="region" aria-label="Sessions">
        {data.status === 'loading' && (
          <WorkLine work={data} idle="Reading the files" onCancel={cancel} />
        )}
        <Preview drawn={data} />
      </div>
    </Dialog>
  )
}
