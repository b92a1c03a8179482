import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { openVerdictStore } from '../coach/main/verdict-store.ts'
import { createIndexStore, emptyIndex } from '../library/main/index-file.ts'
import { createLabelStore } from '../labels/label-store.ts'
import { writeOutput } from '../platform/files/output-file.ts'

const answer = (n: number) => ({
  at: n,
  content: `c${n}`,
  promptHash: 'p',
  model: 'm',
  provider: 'x',
  baseUrl: 'u',
  raw: 'r',
  inputTokens: 1,
  outputTokens: 1,
  dollars: null,
  elapsedMs: 1,
})

describe('[F17] what is there and cannot be used is said and kept', () => {
  it('verdicts that cannot be read are not taken for none', async () => {
    const root = makeFolder()
    const path = join(root, 'coach/verdicts.jsonl')
    mkdirSync(path, { recursive: true })
    const said: string[] = []
    const store = openVerdictStore(root, (line) => said.push(line))
    expect(await store.runs('c1')).toEqual([])
    expect(said.join()).toMatch(/verdicts\.jsonl: kept verdicts cannot be read/u)
    await store.add(answer(1))
    expect(said.at(-1)).toContain('could not be kept')
    expect(readdirSync(join(root, 'coach'))).toEqual(['verdicts.jsonl'])
    rmdirSync(path)
  })

  it('two stores over one file keep both answers, and lines of a later version', async () => {
    const later = '{"version":9}'
    const many = `${JSON.stringify(answer(1))}\n`.repeat(2002)
    const root = makeFolder({ 'coach/verdicts.jsonl': `${later}\n${many}` })
    const said: string[] = []
    const say = (line: string) => said.push(line)
    const one = openVerdictStore(root, say)
    const two = openVerdictStore(root, say)
    await Promise.all([one.add(answer(2)), two.add(answer(3))])
    const text = readFileSync(join(root, 'coach/verdicts.jsonl'), 'utf8')
    expect(text.split('\n').length).toBeLessThan(10)
    expect(text).toContain(later)
    const store = openVerdictStore(root, say)
    for (const n of [1, 2, 3]) expect(await store.runs(`c${n}`)).toHaveLength(1)
    expect(said).toEqual([])
  })

  it('an index that is broken is kept aside; one that cannot be read is not written over', async () => {
    const root = makeFolder()
    const said: string[] = []
    const say = (line: string) => said.push(line)
    await createIndexStore(root, say).save(emptyIndex('/a'))
    const [name = ''] = readdirSync(join(root, 'library'))
    const broken = makeFolder({ [`library/${name}`]: '{torn' })
    await createIndexStore(broken, say).load('/a')
    expect(readFileSync(join(broken, 'library', `${name}.bad`), 'utf8')).toBe('{torn')
    expect(said.join()).toContain('.bad')
    const unread = makeFolder()
    mkdirSync(join(unread, 'library', name), { recursive: true })
    const store = createIndexStore(unread, say)
    await store.load('/a')
    await store.save(emptyIndex('/a'))
    expect(said.at(-1)).toContain('cannot be read')
    expect(readdirSync(join(unread, 'library'))).toEqual([name])
  })
})

describe('[F21] a link out of the folder', () => {
  it('of labels or of an output is refused, and what it leads to stays', async () => {
    const outside = makeFolder({ mine: 'precious' })
    const root = makeFolder()
    for (const name of ['s.labels.jsonl', 'out.xml']) {
      symlinkSync(join(outside, 'mine'), join(root, name))
    }
    const home = { path: join(root, 's.jsonl'), name: 's.jsonl', fixed: null }
    const label = { event: 1, sha256: '0'.repeat(16), primary: 'bugfix' }
    const change = { line: () => 'keep' as const, end: () => [label] }
    await expect(createLabelStore(root).change(home, change)).rejects.toThrow(/leads out of/u)
    await expect(writeOutput(join(root, 'out.xml'), ['x'], { root })).rejects.toThrow(/leads out/u)
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('precious')
    // The operator named this path directly.
    await writeOutput(join(outside, 'mine'), ['new'], { root })
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('new')
  })
})

it.runIf(process.platform === 'linux')(
  '[I60] a pipe in the place of the verdicts is refused, and nobody waits',
  async () => {
    const root = makeFolder({ 'coach/x': '' })
    execFileSync('mkfifo', [join(root, 'coach/verdicts.jsonl')])
    const said: string[] = []
    const store = openVerdictStore(root, (line) => said.push(line))
    await store.add(answer(1))
    expect(said).toHaveLength(2)
    expect(said[1]).toMatch(/could not be kept.*is not a file/u)
  },
)
