import type { Matrix } from '../../../core/engine/schema/lab.ts'
import type { Paint } from '../../timeline/paint.ts'

/** The quantity that a cell counts. */
export type Measure = 'both' | 'conflict'

/** Positions of the cells. */
export type MatrixLayout = Readonly<ReturnType<typeof layoutMatrix>>

/** Names are written where cells are at least that high. */
const NAMED_PX = 13
const NUMBERED_PX = 26

/**
 * In CSS pixels: the side of a cell, the room left of the cells for names and totals, and the room above
 * them for the columns' names.
 */
export function layoutMatrix(names: number, room: number) {
  const left = 216
  const fit = Math.floor((room - left - 16) / Math.max(1, names))
  const small = names > 90 ? 4 : NAMED_PX
  const cell = Math.max(names <= 16 ? NUMBERED_PX : small, Math.min(NUMBERED_PX, fit))
  return { size: names, cell, left, top: names <= 16 ? 26 : 8 }
}

/** Share of the row's turns that a cell has, 0 to 1: rows differ in size, shares compare. */
function shareOf({ totals, names }: Matrix, values: readonly number[], at: number): number {
  const row = Math.floor(at / names.length)
  return (values[at] ?? 0) / Math.max(1, totals[row] ?? 0)
}

/** All cells as one image of a pixel each: hundreds of thousands cost one frame's fraction. */
function pixels(matrix: Matrix, values: readonly number[], color: string): ImageData {
  const size = matrix.names.length
  const image = new ImageData(size, size)
  const [r, g, b] = channels(color)
  for (let at = 0; at < size * size; at += 1) {
    const share = shareOf(matrix, values, at)
    const diagonal = Math.floor(at / size) === at % size
    image.data[at * 4] = r
    image.data[at * 4 + 1] = g
    image.data[at * 4 + 2] = b
    image.data[at * 4 + 3] =
      diagonal || share === 0 ? 0 : Math.round(255 * (0.1 + 0.8 * Math.sqrt(share)))
  }
  return image
}

function channels(color: string): readonly [number, number, number] {
  const part = (from: number) => parseInt(color.slice(from, from + 2), 16)
  return [part(1), part(3), part(5)]
}

interface Drawing {
  readonly matrix: Matrix
  readonly measure: Measure
  readonly layout: MatrixLayout
  readonly paint: Paint
  /** Short names above the columns. */
  readonly codes: readonly string[]
}

/** Draws cells and totals, and names and numbers if they fit. */
export function drawMatrix(ctx: CanvasRenderingContext2D, drawing: Drawing): void {
  const { matrix, measure, layout, paint } = drawing
  const { size, cell, left, top } = layout
  const values = matrix[measure]
  ctx.clearRect(0, 0, left + size * cell + 1, top + size * cell + 1)
  const small = new OffscreenCanvas(size, size)
  small
    .getContext('2d')
    ?.putImageData(pixels(matrix, values, measure === 'both' ? paint.accent : paint.bad), 0, 0)
  ctx.imageSmoothingEnabled = false
  ctx.drawImage(small, left, top, size * cell, size * cell)
  ctx.fillStyle = paint.line
  for (let at = 0; at <= size; at += 1) {
    if (cell < 8 && at !== 0 && at !== size) continue
    ctx.fillRect(left, top + at * cell, size * cell, 1)
    ctx.fillRect(left + at * cell, top, 1, size * cell)
  }
  if (cell >= NAMED_PX) drawNames(ctx, drawing)
  if (cell >= NUMBERED_PX) drawNumbers(ctx, drawing, values)
}

function drawNames(ctx: CanvasRenderingContext2D, { matrix, layout, paint, codes }: Drawing): void {
  const { size, cell, left, top } = layout
  ctx.textBaseline = 'middle'
  ctx.font = `${cell >= 20 ? 12 : 11}px ${paint.font}`
  for (let at = 0; at < size; at += 1) {
    const y = top + at * cell + cell / 2 + 0.5
    ctx.textAlign = 'left'
    ctx.fillStyle = paint.ink
    ctx.fillText(fitted(ctx, matrix.names[at] ?? '', left - 60), 0, y)
    ctx.textAlign = 'right'
    ctx.fillStyle = paint.ink3
    ctx.fillText((matrix.totals[at] ?? 0).toLocaleString('en-US'), left - 8, y)
  }
  if (top < 20) return
  ctx.textAlign = 'center'
  ctx.fillStyle = paint.ink3
  ctx.font = `600 10.5px ${paint.font}`
  codes.forEach((code, at) => ctx.fillText(code, left + at * cell + cell / 2, top - 10))
}

function drawNumbers(
  ctx: CanvasRenderingContext2D,
  { matrix, layout, paint }: Drawing,
  values: readonly number[],
): void {
  const { size, cell, left, top } = layout
  ctx.textAlign = 'center'
  ctx.font = `11px ${paint.font}`
  for (let at = 0; at < size * size; at += 1) {
    const row = Math.floor(at / size)
    const column = at % size
    const value = row === column ? (matrix.totals[row] ?? 0) : (values[at] ?? 0)
    if (value === 0) continue
    ctx.fillStyle = row === column ? paint.ink3 : paint.ink
    ctx.fillText(short(value), left + column * cell + cell / 2, top + row * cell + cell / 2 + 0.5)
  }
}

/** `1.2k` where four digits would not fit. */
function short(value: number): string {
  return value < 10_000 ? value.toLocaleString('en-US') : `${Math.round(value / 1000)}k`
}

function fitted(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text
  let shown = text
  while (shown.length > 1 && ctx.measureText(`${shown}…`).width > room) shown = shown.slice(0, -1)
  return `${shown}…`
}
