import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DRAWING_FILES, DRAWING_FOLDER } from '../../core/host/pictures/drawing-files.ts'

/** [F123] Copies the renderer and the font of pictures (F91) to their place in the npm package. */
export function copyDrawingFiles(root: string): void {
  const folder = join(root, DRAWING_FOLDER)
  rmSync(folder, { recursive: true, force: true })
  for (const name of DRAWING_FILES) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, 'node_modules', name), join(folder, name))
  }
}
