import { expect, it } from 'vitest'
import { zstdLack } from './zstd.ts'

it('[I208] names the Node that is here and the one that is needed', () => {
  expect(zstdLack(false, '20.20.2')).toBe(
    'packed with zstd, which Node 20.20.2 cannot unpack: use Node 22.15 or newer',
  )
  expect(zstdLack(true)).toBeNull()
})
