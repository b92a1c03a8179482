import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { MODEL_PACKAGES, modelTerms } from '../../host/probe/embed/model-parts.ts'
import { SHIPPED_SHA256 } from '../../host/probe/embed/shipped-model.ts'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
})

it('[F125] the packages of the model are those of the lock file, with its checksums', () => {
  const lock: unknown = JSON.parse(
    readFileSync(
      new URL('../../../scripts/model-packages/package-lock.json', import.meta.url),
      'utf8',
    ),
  )
  const { packages } = Lock.parse(lock)
  for (const { name, version, integrity } of MODEL_PACKAGES)
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity })
})

it('[F125] before anything is fetched, sizes and checksums are said', () => {
  const said = modelTerms()
  expect(said).toContain('56 MB to fetch')
  for (const { integrity } of MODEL_PACKAGES) expect(said).toContain(integrity)
  expect(said).toContain(SHIPPED_SHA256['onnx/model.onnx'])
})
