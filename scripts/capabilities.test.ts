import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGraph } from './affected.ts'
import { ROOT } from './build.ts'

const HOST = /^core\/host\/([^/]+)\//u
const IS_TEST = /\.test\.tsx?$/u

/** Capabilities of the host by the capabilities that they import. Entries are left out: they load all. */
function capabilities(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [to, importers] of readGraph().importers) {
    const other = HOST.exec(to)?.[1]
    if (other === undefined || other === 'entries') continue
    found.set(other, found.get(other) ?? new Set())
    for (const from of importers) {
      const own = IS_TEST.test(from) ? undefined : HOST.exec(from)?.[1]
      if (own === undefined || own === 'entries' || own === other) continue
      const others = found.get(own) ?? new Set<string>()
      found.set(own, others.add(other))
    }
  }
  return found
}

/** A path from a capability back to itself; null if none exists. */
function circleFrom(
  start: string,
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | null {
  const seen = new Set<string>()
  const search = (at: string, way: readonly string[]): readonly string[] | null => {
    for (const next of graph.get(at) ?? []) {
      if (next === start) return [...way, next]
      if (seen.has(next)) continue
      seen.add(next)
      const found = search(next, [...way, next])
      if (found !== null) return found
    }
    return null
  }
  return search(start, [start])
}

test('no capability of the host leads back to itself, by way of whichever others', () => {
  const graph = capabilities()
  expect(graph.size).toBeGreaterThan(30)
  const circles = [...graph.keys()].flatMap((each) => circleFrom(each, graph)?.join(' > ') ?? [])
  expect(circles).toEqual([])
})

test('a capability has one name: commands of the terminal and parts of the host share folders', () => {
  const foldersOf = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  const host = new Set(foldersOf('core/host'))
  const ONLY_COMMANDS = [
    'eval',
    'evaluate',
    'explain',
    'get',
    'kit',
    'lab',
    'lint',
    'mcp',
    'pipe',
    'prompt',
    'propose',
    'schema',
    'serve',
    'stats',
  ]
  const others = foldersOf('core/cli').filter((name) => !host.has(name))
  expect(others.toSorted()).toEqual(ONLY_COMMANDS.toSorted())
})
