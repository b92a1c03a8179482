import type { ReadyLane } from './lane.tsx'
import type { Context, Scene } from './scene.ts'

/** Draws everything that does not follow the pointer. */
export function drawBase(ctx: Context, scene: Scene, lanes: readonly ReadyLane[]): void {
  ctx.setTransform(scene.dpr, 0, 0, scene.dpr, 0, 0)
  ctx.clearRect(0, 0, scene.width, scene.layout.height)
  ctx.textBaseline = 'middle'
  if (scene.data.turns === 0 || scene.width <= 0) return
  const drawn = new Map(lanes.map((lane) => [lane.id, lane]))
  for (const row of scene.layout.rows) drawn.get(row.id)?.draw(ctx, scene, row)
}
