import type { Context } from './scene.ts'

/** A cross around a point, `half` its half width, in the stroke that is set. */
export function strokeCross(ctx: Context, x: number, y: number, half: number): void {
  ctx.beginPath()
  ctx.moveTo(x - half, y - half)
  ctx.lineTo(x + half, y + half)
  ctx.moveTo(x - half, y + half)
  ctx.lineTo(x + half, y - half)
  ctx.stroke()
}
