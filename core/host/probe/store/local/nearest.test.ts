import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../../../../../fixtures/probe/store-conformance.ts'
import { SEGMENT_ROWS } from './kernel/segment.ts'
import { Stopped, nearest } from './nearest.ts'
import { VectorFiles } from './vector-files.ts'

describe('long scans', () => {
  it('[D37] others get a turn in the middle of a scan, and a cancelled one ends there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-scan-'))
    const random = randomFrom(6)
    const some = Array.from({ length: 1024 }, () => randomVector(4, random))
    const files = new VectorFiles(folder, { generation: 1, dimensions: 4, rows: 0, crc: 0 })
    for (let rows = 0; rows <= 3 * SEGMENT_ROWS; rows += some.length) files.append(some)
    const signal = { aborted: false }
    const asked = { k: 3, only: null, signal, breakTie: (slots: readonly number[]) => slots }
    const query = randomVector(4, random)
    expect(await nearest(files, [query], asked)).toHaveLength(1)
    // Runs when other tasks get a turn. The scan begins immediately.
    setImmediate(() => {
      signal.aborted = true
    })
    const scan = nearest(files, [query], asked)
    await expect(scan).rejects.toBeInstanceOf(Stopped)
    files.close()
    await rm(folder, { recursive: true })
  })
})
