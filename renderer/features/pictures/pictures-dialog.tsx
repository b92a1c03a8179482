import { useState } from 'react'
import { PictureKind } from '../../../core/engine/schema/picture.ts'
import { valueOf } from '../../app/async-data.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce } from '../../app/wire.ts'
import { Switch } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/form.tsx'
import { KINDS, OF_TURNS, type PictureChoice, drawing, themeInForce, turnsOf } from './pictures.ts'
import { PictureActions, Preview, Shown } from './preview.tsx'
import { TransitionCells } from './transition-cells.tsx'

const THEMES = [
  ['light', 'Light', 'White paper: for print'],
  ['dark', 'Dark', 'Dark paper: for slides'],
] as const

/** [U157] Pictures of the session in view: seen before they are copied or saved. */
export function PicturesDialog({ onClose }: { readonly onClose: () => void }) {
  const [kind, setKind] = useState<PictureKind>('timeline')
  const [theme, setTheme] = useState(themeInForce)
  const [text, setText] = useState('')
  // Another replay is another picture.
  useApp(inForce)
  const turns = turnsOf(text)
  const choice: PictureChoice = { kind, theme, turns: turns ?? null }
  const { data } = useQuery(turns === undefined ? null : drawing(choice))
  const sessions = useApp((state) => valueOf(state.document.opened)?.sessions.length ?? 0)
  const kinds = PictureKind.options.filter((one) => one !== 'sessions' || sessions > 1)
  return (
    <Dialog title="Pictures" className="pictures" onClose={onClose}>
      <div className="pictures-tools row wrap no-shrink line-below gap-12 pad-8-12">
        <Switch
          label="What is drawn"
          options={kinds.map((one) => [one, KINDS[one].name, KINDS[one].about] as const)}
          value={kind}
          onChoose={setKind}
        />
        <Switch label="Paper" options={THEMES} value={theme} onChoose={setTheme} />
        {OF_TURNS.has(kind) && (
          <Input
            className="pictures-turns"
            value={text}
            placeholder="All turns, or 10-60"
            aria-label="Turns that are drawn"
            aria-invalid={turns === undefined}
            onText={setText}
          />
        )}
        <span className="grow" />
        <PictureActions drawn={data} />
      </div>
      <div
        className="pictures-body scroll grow"
        tabIndex={0}
        role="region"
        aria-label={KINDS[kind].name}
        aria-busy={data.status === 'loading'}
      >
        {turns === undefined ? (
          <p className="quiet pad-16" role="status">
            Give the first and the last turn, for example 10-60.
          </p>
        ) : (
          <Preview drawn={data} />
        )}
        {theme === 'dark' && turns !== undefined && <ForPrint {...choice} turns={turns} />}
        {kind === 'transitions' && turns !== undefined && (
          <TransitionCells turns={turns} onOpen={onClose} />
        )}
      </div>
    </Dialog>
  )
}

/** [U158] Prints the light picture, because paper is white. */
function ForPrint(choice: PictureChoice) {
  const { data } = useQuery(drawing({ ...choice, theme: 'light' }))
  const drawn = valueOf(data)
  return drawn && <Shown picture={drawn.picture} className="picture-printed" />
}
