import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { parsePreset } from '../core/engine/belief/presets.ts'
import type { Preset } from '../core/engine/schema/preset.ts'

/** A preset of the repository by name; throws when it is broken, as a benchmark has no other use for it. */
export function loadPresetFile(name: string): Preset {
  const url = new URL(`../profiles/presets/${name}.yaml`, import.meta.url)
  const preset = parsePreset(parse(readFileSync(url, 'utf8')), `${name}.yaml`)
  if (!preset.ok) throw new Error(preset.error.map((one) => `${one.where}: ${one.what}`).join('\n'))
  return preset.value
}
