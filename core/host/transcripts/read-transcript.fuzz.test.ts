import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { caseCount, casesOf, SEED } from '../../../fixtures/cases.ts'
import { createFuzzer } from '../../../fixtures/fuzz/run.ts'
import { families, seedsOf } from '../../../fixtures/fuzz/seeds.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'

// Many more cases by hand: `npm run fuzz -- --runs 200000 --format codex`.
const RUNS = caseCount('import: mutated files')

describe.each(families())('mutated files of %s', (family) =>
  it('[I5] [I46] nothing throws, places lie within, looks do not matter, untouched records are there', async () => {
    const fuzzer = await createFuzzer(seedsOf(family), SEED)
    for (let index = 0; index < RUNS; index += 1) {
      const failure = await fuzzer.run(index)
      if (failure === null) continue
      const again = `npm run fuzz -- --family ${family} --seed ${SEED} --only ${index}`
      expect.fail(`${failure.seed}: ${failure.what}\n${again}`)
    }
  }),
)

const place = fc.double({ min: 0, max: 0.999, noNaN: true })

describe('made-up records', () => {
  it('[I5] records of lines that were not touched are all there', async () => {
    const record = fc.tuple(
      fc.constantFrom('user', 'assistant'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    )
    const damage = fc.oneof(
      fc.constant<string | null>(null),
      fc.constantFrom(
        '{"type":"user","mess',
        '\0\0\0\0',
        '42',
        'null',
        '[]',
        '}{',
        '"',
        '{"a":',
        '\\',
        '{"type":[1]}',
        '{"type":"user","message":{"content":[{"type":3}]}}',
        '// note',
        '\ufffe',
      ),
      fc.string({ unit: anyCharacter, maxLength: 30 }).map((s) => s.replace(/[\n\r]/g, '')),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(record, damage), { minLength: 1, maxLength: 30 }),
        async (rows) => {
          const lines: string[] = []
          const expected: string[] = []
          for (const [n, [[type, said], bad]] of rows.entries()) {
            const text = `m${n} ${said}`
            expected.push(text)
            if (bad !== null) lines.push(bad)
            lines.push(
              JSON.stringify({
                type,
                uuid: `u${n}`,
                sessionId: 's',
                message: { role: type, content: text },
              }),
            )
          }
          const result = await readTranscript(
            Buffer.from(lines.map((line) => `${line}\n`).join('')),
          )
          if (!result.ok) throw new Error(JSON.stringify(result.error))
          const texts = result.value.sessions.flatMap((s) => s.events.map((e) => e.text))
          // UTF-8 cannot contain a lone surrogate, so the bytes written are those of U+FFFD.
          for (const text of expected) expect(texts).toContain(Buffer.from(text).toString())
        },
      ),
      casesOf('import: damaged lines'),
    )
  })

  it('[I5] two records whose newline was lost are both there, wherever the first one was torn', async () => {
    const line = (n: number): string =>
      JSON.stringify({
        type: 'user',
        uuid: `u${n}`,
        sessionId: 's',
        message: { role: 'user', content: `message ${n}` },
      })
    await fc.assert(
      fc.asyncProperty(place, async (p) => {
        const torn = line(2).slice(0, Math.floor(p * line(2).length))
        const text = `${line(1)}${line(4)}\n${torn}${line(3)}\n`
        const result = await readTranscript(Buffer.from(text))
        if (!result.ok) throw new Error(JSON.stringify(result.error))
        const texts = result.value.sessions.flatMap((s) => s.events.map((e) => e.text))
        expect(texts.slice(0, 2)).toEqual(['message 1', 'message 4'])
        // If it is torn exactly before a value, the second record looks like a nested object.
        if (!/[:,[]$/.test(torn)) expect(texts).toContain('message 3')
        else expect(result.value.problemTotal + texts.length).toBeGreaterThanOrEqual(3)
      }),
      casesOf('import: lost newline'),
    )
  })

  it('[I5] values of any type in any place of a record never throw', async () => {
    const value = fc
      .anything({ withNullPrototype: false, maxDepth: 3 })
      .filter((v) => v !== undefined)
    const keys = [
      'type',
      'uuid',
      'parentUuid',
      'sessionId',
      'isSidechain',
      'agentId',
      'timestamp',
      'message',
      'attachment',
      'subtype',
      'content',
      'operation',
      'data',
      'error',
      'compactMetadata',
      'leafUuid',
      'summary',
      'cwd',
      'origin',
      'isMeta',
      'messages',
      'role',
      'tool_calls',
      'function_call',
      'kind',
      'text',
      'at',
      'name',
      'schemaVersion',
    ]
    const types = fc.constantFrom<unknown>(
      'user',
      'assistant',
      'system',
      'attachment',
      'progress',
      'queue-operation',
      'summary',
      'custom-title',
      'session',
      '__proto__',
      'constructor',
    )
    const block = fc.record({
      type: fc.constantFrom(
        'text',
        'tool_use',
        'tool_result',
        'image',
        'thinking',
        'image_url',
        'tool_call',
        'toString',
      ),
      text: value,
      id: value,
      name: value,
      input: value,
      content: value,
      source: value,
      image_url: value,
      value,
    })
    const message = fc.record(
      {
        role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', '__proto__'), value),
        content: fc.oneof(value, fc.array(fc.oneof(block, value), { maxLength: 4 })),
        tool_calls: fc.oneof(value, fc.array(value, { maxLength: 2 })),
      },
      { requiredKeys: [] },
    )
    const record = fc
      .tuple(
        fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 8 }),
        types,
        fc.oneof(message, value),
      )
      .map(([extra, type, m]) => ({ ...extra, type, message: m }))
    const openers = [
      '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"opener"}}',
      '{"role":"user","content":"opener"}',
      '{"type":"session","schemaVersion":1}\n{"kind":"user","text":"opener"}',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...openers),
        fc.array(fc.oneof(record, message), { maxLength: 6 }),
        async (opener, records) => {
          const text = [opener, ...records.map((r) => JSON.stringify(r))].join('\n')
          const result = await readTranscript(Buffer.from(text))
          if (!result.ok) {
            // [I109] One record among six that say something else is refused, with the reason.
            expect(result.error.what).toMatch(/schemaVersion|that this format does not know: ./)
            return
          }
          expect(result.value.sessions[0]!.events[0]!.text).toBe('opener')
        },
      ),
      casesOf('import: values'),
    )
  })
})
