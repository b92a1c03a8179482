import { describe, expect, it } from 'vitest'
import type { Head } from './head.ts'
import type { RawLine, Source } from './source.ts'
import { findImporter } from './recognise.ts'
import { IMPORTERS } from './table.ts'

function sourceOf(head: Head): Source {
  const lines = async function* (): AsyncGenerator<readonly RawLine[]> {
    await Promise.resolve()
    yield []
  }
  const document = () => Promise.reject(new Error('not asked for'))
  return { name: 'x', size: 1, head, lines, document, members: null }
}

describe('recognising a file', () => {
  it('[I1] each row is asked about a record of a foreign file a bounded number of times', async () => {
    const looks = (records: number): Promise<number> => {
      let count = 0
      const foreign = new Proxy(
        {},
        {
          get: () => {
            count += 1
            return undefined
          },
        },
      )
      const values = Array.from({ length: records }, () => foreign)
      const head: Head = { layout: 'lines', text: '', values, objects: values }
      return findImporter(sourceOf(head)).then((found) => {
        expect(found.ok).toBe(false)
        return count
      })
    }
    const one = await looks(1)
    expect(one).toBeGreaterThanOrEqual(IMPORTERS.length / 2)
    expect(await looks(50)).toBe(50 * one)
  })

  it('[I1] the first record that any row knows decides, whatever stands around it', async () => {
    const codex = { type: 'session_meta', payload: { id: 'x', cwd: '/', timestamp: '2026-01-01' } }
    const claude = { type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user' } }
    const nameOf = async (values: ReadonlyArray<typeof codex | typeof claude | object>) => {
      const head: Head = {
        layout: 'lines',
        text: '',
        values,
        objects: values.map((one) => ({ ...one })),
      }
      const found = await findImporter(sourceOf(head))
      return found.ok ? found.value.importer.name : null
    }
    expect(await nameOf([{ a: 1 }, codex, claude])).toBe('codex')
    expect(await nameOf([{ a: 1 }, claude, codex])).toBe('claude-code')
  })
})
