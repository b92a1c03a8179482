import { existsSync } from '../../host/platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { z } from 'zod'
import { parseJson } from '../../engine/result.ts'
import {
  DRAWING_FOLDER,
  PARTS,
  RANGES,
  RENDERER,
  SUBSETS,
} from '../../host/pictures/drawing-files.ts'
import { readBytes } from '../../host/platform/files/regular-file.ts'
import { HOME } from '../../place.ts'

const FAMILY = 'Inter Variable'
/** Letters that the parts of the font hold, as CSS writes ranges. */
const Ranges = z.record(z.string(), z.string())

/** Pixels for a unit of the drawing: sharp in print at the width of a page. */
const SCALE = 2

/** Folder of these files in an installed package, which has no `node_modules` folder. */
const PACKED = join(HOME, DRAWING_FOLDER)
const fileOf = (name: string) =>
  readBytes(join(existsSync(PACKED) ? PACKED : join(HOME, 'node_modules'), name))

/** Characters that the bundled font knows. */
async function knownCharacters(): Promise<(character: string) => boolean> {
  const json = parseJson((await fileOf(RANGES)).toString('utf8'))
  const ranges = Ranges.parse(json.ok ? json.value : {})
  const pairs = SUBSETS.flatMap((subset) => (ranges[subset] ?? '').split(',')).map((range) => {
    const [from = '', to = from] = range.replace('U+', '').split('-')
    return [parseInt(from, 16), parseInt(to, 16)] as const
  })
  return (character) => {
    const code = character.codePointAt(0) ?? 0
    return pairs.some(([from, to]) => code >= from && code <= to)
  }
}

export interface Pixels {
  readonly bytes: Uint8Array
  /** Number of characters that the font does not know. Each is drawn as `?`. */
  readonly unknown: number
}

/**
 * [F91] A drawing as PNG, twice its size. Fonts of the machine are not asked: the one that ships is given to
 * the renderer, so that equal drawings are equal bytes on every machine.
 */
export async function pngOf(svg: string): Promise<Pixels> {
  const isKnown = await knownCharacters()
  let unknown = 0
  const text = Array.from(svg, (character) => {
    if (isKnown(character) || character === '\n') return character
    unknown += 1
    return '?'
  }).join('')
  const fontBuffers = await Promise.all(PARTS.map((part) => fileOf(part)))
  await initWasm(await fileOf(RENDERER))
  const drawing = new Resvg(text, {
    fitTo: { mode: 'zoom', value: SCALE },
    font: {
      fontBuffers,
      loadSystemFonts: false,
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
    },
  })
  return { bytes: drawing.render().asPng(), unknown }
}
