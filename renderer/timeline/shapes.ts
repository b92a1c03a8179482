import type { Context } from './scene.ts'

/** The path of a polygon around a point; its corners are pairs of x and y. */
export function polygon(...corners: readonly number[]) {
  return (ctx: Context, x: number, y: number): void => {
    for (let at = 0; at < corners.length; at += 2)
      ctx.lineTo(x + (corners[at] ?? 0), y + (corners[at + 1] ?? 0))
    ctx.closePath()
  }
}

/** The path of a diamond, `half` its half width. */
export const diamond = (half: number) => polygon(0, -half, half, 0, 0, half, -half, 0)

/** The path of a cross, `half` its half width. */
export const cross = (half: number) => (ctx: Context, x: number, y: number) => {
  ctx.moveTo(x - half, y - half)
  ctx.lineTo(x + half, y + half)
  ctx.moveTo(x - half, y + half)
  ctx.lineTo(x + half, y - half)
}

/** The path of a circle. */
export const circle = (radius: number) => (ctx: Context, x: number, y: number) =>
  ctx.arc(x, y, radius, 0, 2 * Math.PI)

/** Draws a path in one colour: filled, or as a line of this width. */
export function paintPath(
  ctx: Context,
  path: (ctx: Context) => void,
  { color, line }: { readonly color: string; readonly line?: number },
): void {
  ctx.fillStyle = ctx.strokeStyle = color
  ctx.beginPath()
  path(ctx)
  if (line === undefined) {
    ctx.fill()
    return
  }
  ctx.lineWidth = line
  ctx.stroke()
}
