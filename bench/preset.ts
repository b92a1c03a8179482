import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { Preset } from '../core/engine/schema/preset.ts'

/** A preset of the repository by name; throws when it is broken, as a benchmark has no other use for it. */
export function loadPresetFile(name: string): Preset {
  const url = new URL(`../profiles/presets/${name}.yaml`, import.meta.url)
  return Preset.parse(parse(readFileSync(url, 'utf8')))
}
