import { existsSync } from '../files/fenced-fs.ts'
import { dirname, join } from 'node:path'
import { realOf } from './place.ts'

/** The nearest folder upwards that has a `.git`, as a real path. Nothing is started to find it. */
export function repositoryOf(folder: string): string | null {
  return nearest(realOf(folder))
}

function nearest(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? null : nearest(above)
}
