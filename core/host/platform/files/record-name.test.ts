import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../fixtures/any-character.ts'
import { casesOf } from '../../../../fixtures/cases.ts'
import { makeFolder } from '../../../../fixtures/host.ts'
import { recordPath } from '../../hook/record.ts'
import { type RecordOwner, olderName, recordFile, recordName } from './record-name.ts'

const KINDS: ReadonlyArray<RecordOwner['kind']> = ['session', 'trace', 'process']
const session = (name: string): RecordOwner => ({ kind: 'session', name })

/** Names that some version, file system or separator could take for one another. */
const AWKWARD = [
  '',
  '.',
  '..',
  '/',
  '\\',
  '~',
  '_',
  '-',
  ' ',
  '\0',
  '\n',
  'a/b',
  'a_b',
  'a\\b',
  'a b',
  'a.b',
  'a_b-c14cddc0',
  'A',
  'a',
  'Ab',
  'aB',
  'ab',
  'CON',
  'con',
  'con.jsonl',
  'nul',
  'com1',
  'lpt9',
  'aux.',
  'a.',
  'a ',
  '\u00e9',
  'e\u0301',
  '\u212b',
  '\u00c5',
  'A\u030a',
  'ß',
  'ẞ',
  'ss',
  'ı',
  '\ud800',
  '\ud801',
  '\ufffd',
  'a~trace',
  'a~process',
  'a~trace~trace',
  'trace',
  '~trace',
  'x'.repeat(99),
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(5000),
  `${'x'.repeat(5000)}y`,
  '5b8efff798038103d269b633813fc60c',
  '5B8EFFF798038103D269B633813FC60C',
  '../../etc/passwd',
]

/** Difficult names, their parts, other cases and normal forms, and the names of their own records. */
const name = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.tuple(fc.constantFrom(...AWKWARD), fc.constantFrom(...AWKWARD)).map((two) => two.join('')),
  fc.constantFrom(...AWKWARD).map((one) => one.toUpperCase()),
  fc.constantFrom(...AWKWARD).map((one) => one.normalize('NFD')),
  fc.constantFrom(...AWKWARD).map((one) => recordName(session(one))),
  fc.constantFrom(...AWKWARD).map((one) => olderName(session(one))),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
)
const owner = fc.record({ kind: fc.constantFrom(...KINDS), name })

/** A name as the least exact file system compares it. */
const folded = (text: string) => text.normalize('NFKC').toUpperCase().toLowerCase()

describe('[F207] the name of a record', () => {
  it('is different for each owner, also where case and normal forms are ignored', () => {
    const all = KINDS.flatMap((kind) => AWKWARD.map((each) => ({ kind, name: each })))
    const distinct = new Set(all.map(({ kind, name: each }) => `${kind} ${each}`))
    expect(new Set(all.map((one) => folded(recordName(one)))).size).toBe(distinct.size)
    fc.assert(
      fc.property(owner, owner, (one, other) => {
        const isOne = one.kind === other.kind && one.name === other.name
        expect(folded(recordName(one)) === folded(recordName(other))).toBe(isOne)
      }),
      casesOf('records: names'),
    )
  })

  it('is a file name on each system, and no longer than one', () => {
    fc.assert(
      fc.property(owner, (one) => {
        const file = `${recordName(one)}.jsonl`
        expect(file).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*(?:~[0-9a-f]{32})?(?:~[a-z]+)?\.jsonl$/u)
        expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./iu)
        expect(file.length).toBeLessThan(160)
      }),
      casesOf('records: hostile names'),
    )
  })

  it('is never that of an older version, unless it is the same plain name', () => {
    fc.assert(
      fc.property(owner, owner, (one, other) => {
        const isShared = folded(recordName(one)) === folded(olderName(other))
        if (isShared) expect(one).toMatchObject({ kind: 'session', name: recordName(one) })
      }),
      casesOf('records: two names'),
    )
  })

  it('keeps a plain session name', () => {
    expect(recordName(session('talk'))).toBe('talk')
    expect(recordName({ kind: 'trace', name: 'talk' })).toBe('talk~trace')
    expect(recordName(session('a/b'))).toMatch(/^a_b~[0-9a-f]{32}$/u)
  })
})

describe('[F207] a record of an older version', () => {
  const pathIn = (folder: string, file: string) => join(folder, `${file}.jsonl`)

  it.each(['a/b', 'A', 'v1.2', '', 'é', 'CON', 'x'.repeat(5000), '..'])(
    'is continued under its name: %j',
    (named) => {
      const older = olderName(session(named))
      const folder = makeFolder({ [`${older}.jsonl`]: '' })
      expect(recordFile(folder, session(named), () => session(named))).toBe(pathIn(folder, older))
      // Another owner had the same name.
      expect(recordFile(folder, session(named), () => session('other'))).toBe(
        pathIn(folder, recordName(session(named))),
      )
      expect(recordFile(folder, session(named), () => null)).toBe(
        pathIn(folder, recordName(session(named))),
      )
    },
  )

  it('of a trace is not taken by a session of that name, and not by another session', () => {
    const slash = `a_b-${digitsOf('a/b')}`
    const folder = makeFolder({ 'abc.jsonl': '', [`${slash}.jsonl`]: '' })
    const trace: RecordOwner = { kind: 'trace', name: 'abc' }
    expect(recordFile(folder, trace, () => trace)).toBe(pathIn(folder, 'abc'))
    const beside = recordFile(folder, session('abc'), () => trace)
    expect(beside).toMatch(/abc~[0-9a-f]{32}\.jsonl$/u)
    // It stays there, even if the other record changes.
    writeFileSync(beside, '')
    expect(recordFile(folder, session('abc'), () => null)).toBe(beside)
    const literal = session(slash)
    expect(recordFile(folder, literal, () => session('a/b'))).toMatch(/~[0-9a-f]{32}\.jsonl$/u)
    expect(recordFile(folder, session('a/b'), () => session('a/b'))).toBe(pathIn(folder, slash))
  })

  it('of a hook is told by its header', () => {
    const folder = makeFolder()
    const older = pathIn(join(folder, 'codex'), `a_b-${digitsOf('a/b')}`)
    mkdirSync(dirname(older))
    writeFileSync(older, `${JSON.stringify({ type: 'session', id: 'a/b' })}\n{"kind":"user"}\n`)
    expect(recordPath(folder, 'codex', 'a/b')).toBe(older)
    const literal = recordPath(folder, 'codex', `a_b-${digitsOf('a/b')}`)
    expect(literal).not.toBe(older)
    expect(existsSync(literal)).toBe(false)
    writeFileSync(older, '{"type":"sess')
    expect(recordPath(folder, 'codex', 'a/b')).not.toBe(older)
  })
})

function digitsOf(named: string): string {
  return olderName(session(named)).slice(-8)
}
