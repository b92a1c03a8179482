import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { valueOf } from '../../../../fixtures/host.ts'
import {
  makeService,
  openService,
  probeWith,
  QUIET,
  SETTINGS,
} from '../../../../fixtures/probe/service.ts'
import { CHUNKING } from '../../../engine/probe/chunk.ts'

const GATE = '# Vexholm Gate\n\n## History\n\nIt was raised by the river guild after the flood.\n'

it('[D63] the probe finds a name that only stands in a title', async () => {
  const here = makeService({ 'gate.md': GATE, 'bread.md': '# Bread\n\nRye and water.\n' })
  try {
    valueOf(await here.index('notes'))
    const { hits, primary_collection } = await probeWith(
      here.service,
      'Who guards Vexholm Gate now?',
    )
    expect(primary_collection).toBe('notes')
    expect(hits[0]).toMatchObject({ phrase: 'Vexholm Gate', filename: 'gate.md', lexical: 1 })
    expect(hits[0]?.chunk_text.startsWith('## History')).toBe(true)
  } finally {
    await here.service.close()
  }
})

it('[D67] an index of an earlier version answers, says what it lacks, and is made again as a whole', async () => {
  const here = makeService({ 'gate.md': GATE })
  valueOf(await here.index('notes'))
  await here.service.close()
  const path = join(here.root, '.turnscope/vectors/notes/manifest.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"chunking":${CHUNKING}`, '"chunking":2'))
  const service = openService(here.root)
  const state = async () =>
    valueOf(await service.collections(SETTINGS, QUIET.signal)).find((each) => each.name === 'notes')
  try {
    expect(await state()).toMatchObject({ state: 'stale', documents: 1 })
    expect((await state())?.problem).toMatch(/another version.*titles.*Index it again/u)
    expect((await probeWith(service, 'What did the river guild raise?')).hits).not.toEqual([])
    const again = valueOf(
      await service.index({ collection: 'notes', paths: [], rebuild: false }, SETTINGS, QUIET),
    )
    expect(again).toMatchObject({ documents: 1, added: 1 })
    expect(again.note).toMatch(/another version/u)
    expect(await state()).toMatchObject({ state: 'ready' })
  } finally {
    await service.close()
  }
})
