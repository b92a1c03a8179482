import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runHere } from '../../../fixtures/run-here.ts'
import { makeFolder, makeSession } from '../../../fixtures/host.ts'

const folder = makeFolder({
  'a.jsonl': makeSession(4),
  'sub/b.jsonl': makeSession(3),
  'notes.md': '# Groceries\n',
  'secrets.jsonl': [
    {
      type: 'session',
      schemaVersion: 1,
      id: 's1',
      title: 'Mail of ann@acme.de',
      cwd: '/home/ann/x',
    },
    { kind: 'tool_call', name: 'Bash', text: '{"command":"mail ann@acme.de"}', tag: '/home/ann' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
})

/** A command in the folder, which is its workspace unless it names one. */
const run = (args: readonly string[]) =>
  runHere([...args, ...(args.includes('--workspace') ? [] : ['--workspace', folder])], {
    cwd: folder,
  })

test('[F1] find prints events of files and folders; 0 found, 1 nothing, 2 a bad query', async () => {
  const found = await run(['find', 'typeerror', '.'])
  expect(found.code).toBe(0)
  expect(found.out.trimEnd().split('\n')).toHaveLength(2)
  expect(found.out).toContain('a.jsonl:4 user: Fix the crash: TypeError')
  expect(await run(['find', 'nowhere', 'a.jsonl'])).toMatchObject({ code: 1, out: '', err: '' })
  const bad = await run(['find', 'rol:user', 'a.jsonl'])
  expect(bad).toMatchObject({ code: 2, out: '' })
  expect(bad.err).toContain('column 1 of the query: there is no filter "rol:"')
  expect(await run(['find', 'x', 'missing.jsonl'])).toMatchObject({ code: 2 })
})

test('[F7] find asks the replay where the query does', async () => {
  const found = await run([
    'find',
    'domain:debugging,bug_fixing,investigation,analysis',
    'a.jsonl',
    '--json',
  ])
  const flip = await run(['find', 'flip:any', 'a.jsonl'])
  expect(flip).toMatchObject({ code: 2 })
  expect(flip.err).toContain('flip: asks a comparison')
  // Which domains there are is the domain file's business; a name that it lacks is said.
  if (found.code === 2) expect(found.err).toContain('Choose of:')
  const events = await run(['find', 'event:accept', 'a.jsonl', '--json'])
  expect(events.code).toBe(0)
  const [first] = events.out.split('\n')
  expect(JSON.parse(first ?? '')).toMatchObject({ session: 's1', seq: 0, kind: 'user', spans: [] })
})

test('[F70] find asks labels beside the file, momentum, the coach and messages; what has no source is said', async () => {
  const fixture = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../../../fixtures/sessions/${name}`, import.meta.url)))
  for (const name of ['lock-in.jsonl', 'lock-in.labels.jsonl'])
    writeFileSync(join(folder, name), fixture(name))
  const seqs = async (query: string) => {
    const { code, out } = await run(['find', query, 'lock-in.jsonl', '--json'])
    const lines = out
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '')
    return { code, found: lines.map((line) => (JSON.parse(line) as { seq: number }).seq) }
  }
  const any = await seqs('label:any')
  const wrong = await seqs('label:wrong')
  const right = await seqs('label:right')
  expect(wrong.found.length).toBeGreaterThan(0)
  expect([...wrong.found, ...right.found].toSorted((a, b) => a - b)).toEqual(any.found)
  expect((await seqs('held:any')).code).toBe(0)
  expect((await seqs('verdict:any')).found.length).toBeGreaterThan(0)
  expect((await seqs('query:any')).found.length).toBeGreaterThan(0)
  const persona = await run(['find', 'persona:any', 'lock-in.jsonl'])
  expect(persona).toMatchObject({ code: 2 })
  expect(persona.err).toContain('persona: asks the probe, which is not here')
  const unknown = await run(['find', 'foo:bar', 'lock-in.jsonl'])
  expect(unknown.err).toContain('there is no filter "foo:"')
})

test('[R7] convert --redact leaves no secret in any field, and reports without showing values', async () => {
  const out = join(folder, 'out.jsonl')
  const done = await run(['convert', 'secrets.jsonl', '--redact', '--report', '--out', out])
  expect(done).toMatchObject({ code: 0, out: '' })
  const text = readFileSync(out, 'utf8')
  expect(text).not.toMatch(/ann\b/u)
  expect(text).toContain('"title":"Mail of [REDACTED:email]"')
  expect(text).toContain('"tag":"/home/[REDACTED:home]"')
  expect(done.err).toContain('redacted 4')
  expect(done.err).not.toContain('ann@')
  const only = await run(['convert', 'secrets.jsonl', '--redact=home'])
  expect(only.out).toContain('ann@acme.de')
  expect(only.out).not.toContain('/home/ann')
  expect(await run(['convert', 'secrets.jsonl', '--redact=hom'])).toMatchObject({ code: 2 })
  // [F35] Names of several kinds.
  expect(await run(['convert', 'secrets.jsonl', '--redact=all'])).toMatchObject({ code: 0 })
  expect(await run(['convert', 'secrets.jsonl', '--redact=default,ip'])).toMatchObject({ code: 0 })
})

test('[R10] convert never writes over a transcript it reads, nor leaves a half file', async () => {
  const before = readFileSync(join(folder, 'a.jsonl'), 'utf8')
  const over = await run(['convert', 'secrets.jsonl', 'a.jsonl', '-o', 'a.jsonl'])
  expect(over).toMatchObject({ code: 2 })
  expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toBe(before)
  const half = await run(['convert', 'a.jsonl', 'notes.md', '-o', 'half.jsonl'])
  expect(half).toMatchObject({ code: 2 })
  expect(existsSync(join(folder, 'half.jsonl'))).toBe(false)
  const both = await run(['convert', 'a.jsonl', 'sub/b.jsonl'])
  expect(both.out.trimEnd().split('\n')).toHaveLength(9)
})

test('[K3] library scan fills the index that library list answers from', async () => {
  const workspace = makeFolder()
  const sessions = makeFolder({ 'a.jsonl': makeSession(4), 'b.jsonl': makeSession(2), 'c.md': 'x' })
  const at = [sessions, '--workspace', workspace, '--json']
  const empty = await run(['library', 'list', ...at])
  expect(empty).toMatchObject({ code: 0, out: '' })
  expect(empty.err).toContain('run turnscope library scan')
  const scan = await run(['library', 'scan', ...at])
  expect(scan.code).toBe(0)
  expect(scan.err).toContain('2 transcripts; skipped: 1 not a transcript')
  const list = await run(['library', 'list', ...at])
  expect(list).toMatchObject({ code: 0, out: scan.out, err: '' })
  const entries = list.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { stats: object })
  expect(entries).toMatchObject([{ stats: { turns: 4, flips: null } }, { stats: { turns: 2 } }])
  writeFileSync(join(sessions, 'bad.jsonl'), '{"type":"session","schemaVersion":99}\n')
  expect(await run(['library', 'scan', ...at])).toMatchObject({ code: 1 })
  expect(await run(['library', 'scan', join(sessions, 'x')])).toMatchObject({ code: 2 })
})

test('[F61] convert -o - writes to standard output, and to no file of that name', async () => {
  const { code, out } = await run(['convert', 'a.jsonl', '-o', '-'])
  expect(code).toBe(0)
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ type: 'session' })
  expect(existsSync(join(folder, '-'))).toBe(false)
})
