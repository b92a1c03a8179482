import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import type { Picture } from '../../../core/engine/schema/picture.ts'
import { type AsyncData, valueOf } from '../../app/async-data.ts'
import { copyPicture } from '../../app/copy.ts'
import { failureOf } from '../../app/host.ts'
import { patchView } from '../../app/store.ts'
import { useQuery } from '../../app/use-query.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { type Drawn, savePng, saveSvg } from './pictures.ts'
import { imageOf, pngOf, withFonts } from './raster.ts'

/** The picture as it will be: an image with its font in it, since an image sees no font of the page. */
export function Preview({ drawn }: { readonly drawn: AsyncData<Drawn> }) {
  return (
    <Answered data={drawn} waiting={<p className="picture-waiting quiet pad-16">Drawing …</p>}>
      {({ picture }) => <Shown picture={picture} className="picture-shown" />}
    </Answered>
  )
}

interface ShownProps {
  readonly picture: Picture
  readonly className: string
}

/** The accessible name of the image lists the facts it shows, for screen readers. */
export function Shown({ picture, className }: ShownProps) {
  const { data } = useQuery(fontsIn(picture))
  const svg = valueOf(data) ?? picture.svg
  return (
    <img
      className={className}
      src={imageOf(svg)}
      alt={`${picture.title}. ${picture.told}`}
      width={picture.width}
      height={picture.height}
    />
  )
}

/** The drawing with the font, as something that takes its time. */
function fontsIn({ svg }: Picture) {
  return {
    key: svg,
    ask: (on: { answer: (text: string) => void; ended: () => void }) => {
      let stopped = false
      void withFonts(svg).then((text) => {
        if (stopped) return
        on.answer(text)
        on.ended()
      })
      return () => {
        stopped = true
      }
    },
  }
}

const told = (error: unknown) => patchView({ notice: failureOf(error, 'Picture') })

/** Copy, PNG, SVG: of the picture that is shown. */
export function PictureActions({ drawn }: { readonly drawn: AsyncData<Drawn> }) {
  const [copied, setCopied] = useState<Picture | null>(null)
  const picture = drawn.status === 'ready' ? drawn.value.picture : null
  const isCopied = picture !== null && copied === picture
  const Sign = isCopied ? Check : Copy
  return (
    <div className="row gap-8" role="group" aria-label="The picture">
      <Button
        disabled={picture === null}
        onClick={() => {
          if (picture === null) return
          void copyPicture(pngOf(picture)).then((done) => setCopied(done ? picture : null))
        }}
      >
        <Sign size={14} aria-hidden /> {isCopied ? 'Copied' : 'Copy as picture'}
      </Button>
      <Button
        disabled={picture === null}
        onClick={() => {
          if (picture) saveSvg(picture)
        }}
      >
        <Download size={14} aria-hidden /> Save SVG
      </Button>
      <Button
        kind="primary"
        disabled={picture === null}
        onClick={() => {
          if (picture) void savePng(picture).catch(told)
        }}
      >
        <Download size={14} aria-hidden /> Save PNG
      </Button>
    </div>
  )
}
