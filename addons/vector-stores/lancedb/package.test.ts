import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY, valueOf } from '../../../fixtures/host.ts'
import { probeWith, QUIET, SETTINGS } from '../../../fixtures/probe/service.ts'
import { openedGate } from '../../../fixtures/trust.ts'
import { openProbe } from '../../../core/host/probe/open.ts'

const COLLECTIONS = `
collections:
  - name: notes
    paths: [notes]
    store: { kind: lancedb, uri: lance, table: chunks }
`

/** A replacement of the LanceDB package that records when it was run. */
function packageThatMarks(marker: string): Readonly<Record<string, string>> {
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'run')\n`
  const manifest = JSON.stringify({ name: '@lancedb/lancedb', version: '9.9.9', main: 'index.js' })
  return { 'package.json': manifest, 'index.js': code }
}

function hostileWorkspace() {
  const marker = join(makeFolder(), 'marker')
  const places = [
    '',
    'profiles/',
    '.turnscope/',
    '.turnscope/vectors/',
    '.turnscope/vectors/notes/',
  ]
  const files = places.flatMap((place) =>
    Object.entries(packageThatMarks(marker)).map(
      ([name, text]) => [`${place}node_modules/@lancedb/lancedb/${name}`, text] as const,
    ),
  )
  const root = makeFolder({
    'profiles/collections.yaml': COLLECTIONS,
    'notes/a.md': '# A\n\nThe seals of Farne.\n',
    ...Object.fromEntries(files),
  })
  return { root, marker }
}

test.each([
  ['none', {}],
  ['a relative one, which would begin in the working directory', { TURNSCOPE_LANCEDB: '.' }],
])('[D60] a package that a workspace brought is never run; named folder: %s', async (_, env) => {
  const { root, marker } = hostileWorkspace()
  const places = { workspace: root, shipped: REPOSITORY, stateDir: makeFolder() }
  const service = openProbe({ ...places, env, trust: openedGate(root).place })
  const listed = valueOf(await service.collections(SETTINGS, QUIET.signal))
  const problem = listed.find(({ name }) => name === 'notes')?.problem ?? ''
  expect(problem).toMatch(/application|TURNSCOPE_LANCEDB/u)
  await probeWith(service, 'who feeds the seals')
  const request = { collection: 'notes', paths: [], rebuild: true }
  const indexed = await service.index(request, SETTINGS, QUIET)
  expect(indexed.ok).toBe(false)
  if (!indexed.ok) expect(indexed.error.do).toContain('TURNSCOPE_LANCEDB')
  expect(existsSync(marker)).toBe(false)
  await service.close()
})

test('[D60] the folder that a person named is used', async () => {
  const marker = join(makeFolder(), 'marker')
  const named = makeFolder(
    Object.fromEntries(
      Object.entries(packageThatMarks(marker)).map(([name, text]) => [
        `node_modules/@lancedb/lancedb/${name}`,
        text,
      ]),
    ),
  )
  const { root } = hostileWorkspace()
  const env = { TURNSCOPE_LANCEDB: named }
  const places = { workspace: root, shipped: REPOSITORY, stateDir: makeFolder() }
  const service = openProbe({ ...places, env, trust: openedGate(root).place })
  await service.collections(SETTINGS, QUIET.signal)
  expect(existsSync(marker)).toBe(true)
  await service.close()
})
