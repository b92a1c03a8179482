import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Preset } from '../schema/preset.ts'
import { PROBE_HELP, recommendedProbe } from './options.ts'

function probeOf(name: string): unknown {
  const url = new URL(`../../../profiles/presets/${name}.yaml`, import.meta.url)
  return Preset.parse(parse(readFileSync(url, 'utf8'))).probe
}

describe('[D1] options of the probe', () => {
  test('the presets say what the program takes for them', () => {
    expect(probeOf('literal')).toEqual({
      ...recommendedProbe,
      threshold: 0.4,
      rule: { kind: 'cosine' },
      personaMinStrength: null,
      personaMomentum: null,
    })
    expect(probeOf('recommended')).toEqual(recommendedProbe)
    expect(probeOf('field')).toEqual(recommendedProbe)
  })

  test('every option has its line of help', () =>
    expect(Object.keys(PROBE_HELP).toSorted()).toEqual(Object.keys(recommendedProbe).toSorted()))
})
