import type { Picture, PictureKind, PictureTheme } from '../../../core/engine/schema/picture.ts'
import { copyPicture } from '../../app/copy.ts'
import { failureOf, host } from '../../app/host.ts'
import { type Answer, type Question, call, stream } from '../../app/question.ts'
import { resolveTheme } from '../../app/selectors.ts'
import { patchView, store } from '../../app/store.ts'
import { inForce, wireRuns } from '../../app/wire.ts'
import { download } from '../../ui/download.ts'
import { pngOf } from './raster.ts'

export type Drawn = Answer<'pictures.draw'>
export type Turns = readonly [number, number] | null

/** The picture to draw of the current view. */
export interface PictureChoice {
  readonly kind: PictureKind
  readonly theme: PictureTheme
  readonly turns: Turns
}

/** Names and descriptions of the pictures. */
export const KINDS: Readonly<
  Record<PictureKind, { readonly name: string; readonly about: string }>
> = {
  timeline: {
    name: 'Timeline',
    about: 'The session turn by turn: held, text alone, momentum, flips',
  },
  transitions: {
    name: 'Transitions',
    about: 'What each text alone said against what was held under momentum',
  },
  budget: { name: 'Budget', about: 'Tokens of every prompt against what there was room for' },
  sessions: { name: 'Sessions', about: 'Every session of this file as a small picture' },
}

/** Kinds of which a part can be drawn. */
export const OF_TURNS: ReadonlySet<PictureKind> = new Set(['timeline', 'transitions'])

type Draw = Parameters<typeof stream<'pictures.draw'>>[1]

function requestOf({ kind, theme, turns }: PictureChoice): Draw | null {
  const about = inForce()
  if (!about) return null
  const { address, config, other } = about
  const range =
    OF_TURNS.has(kind) && turns !== null ? ([turns[0], turns[1]] as [number, number]) : null
  return { ...address, kind, theme, config, compare: other, turns: range }
}

/** Request for a picture of the session in view; null if no session is open. */
export function drawing(choice: PictureChoice): Question<Drawn> | null {
  const about = inForce()
  const request = requestOf(choice)
  if (!about || !request) return null
  const of = `${about.of} ${about.ofCompare}`
  return stream('pictures.draw', request, { where: 'Picture', of, isLasting: about.isLasting })
}

/** The same for a folder of the library. */
export function drawingFolder(folder: string, theme: PictureTheme): Question<Drawn> {
  const input = { folder, theme, ...wireRuns(store.getState().view) }
  return stream('pictures.folder', input, { where: 'Picture', isLasting: () => false })
}

/** Asks which turns are behind each cell of the map of transitions. */
export function askingCells(turns: Turns) {
  const about = inForce()
  if (!about) return null
  const range = turns === null ? null : ([turns[0], turns[1]] as [number, number])
  const input = { ...about.address, config: about.config, turns: range }
  return call('pictures.transitions', input, {
    where: 'Transitions',
    of: about.of,
    isLasting: about.isLasting,
  })
}

/** Parses a text field such as `10-60`. Null for all turns; undefined if the text is no valid range. */
export function turnsOf(text: string): Turns | undefined {
  if (text.trim() === '') return null
  const [, from = '', to = from] = /^\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?\s*$/u.exec(text) ?? []
  if (from === '' || Number(from) < 1 || Number(to) < Number(from)) return undefined
  return [Number(from), Number(to)]
}

/** Theme of the window as paper: high contrast is drawn on black. */
export function themeInForce(): PictureTheme {
  const { theme, systemDark } = store.getState().view
  return resolveTheme(theme, systemDark) === 'light' ? 'light' : 'dark'
}

/** File name, made from the kind and subject of the picture. */
export function fileName({ title, kind }: Pick<Picture, 'title' | 'kind'>, ending: string): string {
  const [, name = title] = title.split(/: (.*)/su)
  const plain = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/gu, '')
  return `${(plain || 'session').slice(0, 80)}-${kind}.${ending}`
}

export function saveSvg(picture: Picture): void {
  download([picture.svg], fileName(picture, 'svg'), 'image/svg+xml')
}

export async function savePng(picture: Picture): Promise<void> {
  download([await pngOf(picture)], fileName(picture, 'png'), 'image/png')
}

/** Draws once, without a dialog. */
function drawOnce(kind: PictureKind): Promise<Picture> {
  const request = requestOf({ kind, theme: themeInForce(), turns: null })
  return new Promise((resolve, reject) => {
    if (!request) {
      reject(new Error('there is no session in view'))
      return
    }
    host().subscribe('pictures.draw', request, {
      next: (message) => {
        if (message.kind === 'drawn') resolve(message.picture)
      },
      error: reject,
    })
  })
}

const told = (error: unknown) => patchView({ notice: failureOf(error, 'Picture') })

/** The commands of the timeline: the picture in the theme of the window. */
export const timelineAs = {
  copied: () => void copyPicture(drawOnce('timeline').then(pngOf)),
  svg: () => void drawOnce('timeline').then(saveSvg).catch(told),
  png: () => void drawOnce('timeline').then(savePng).catch(told),
}
