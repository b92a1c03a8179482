import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { caseCount } from '../../../fixtures/cases.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { openCoachLabels } from '../coach/main/labels.ts'
import { openStateStore } from '../settings/main/state-store.ts'
import { withLock } from '../platform/files/file-lock.ts'
import { createLabelStore } from './label-store.ts'

const url = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))

const home = (folder: string) => ({ path: join(folder, 's.jsonl'), name: 's.jsonl', fixed: null })
const label = (event: number) => ({ event, sha256: '0'.repeat(16), primary: 'bugfix' })
const adding = (event: number) => ({
  line: () => 'keep' as const,
  end: () => [label(event)],
})
const coachLabel = (seq: number) => ({
  session: 's',
  seq,
  content: `c${seq}`,
  type: 'completion' as const,
  note: null,
  text: 't',
  plan: null,
  skill: null,
})

function child(code: string): Promise<number | null> {
  const started = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  return new Promise((resolve) => started.on('close', resolve))
}

describe('[F15] what cannot be read is never taken for none', () => {
  it('a folder in the place of labels refuses reading and writing, and stays', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 's.labels.jsonl'))
    const store = createLabelStore(folder)
    await expect(store.read(home(folder))).rejects.toThrow(/cannot be read/u)
    await expect(store.change(home(folder), adding(1))).rejects.toThrow(/cannot be read/u)
    expect(readdirSync(folder)).toEqual(['s.labels.jsonl'])
  })

  it.each(['EACCES', 'EIO', 'EMFILE'])(
    'labels that fail with %s are not written over',
    async (code) => {
      const folder = makeFolder({ 's.labels.jsonl': `${JSON.stringify(label(1))}\n` })
      const readText = () => Promise.reject(Object.assign(new Error(`${code}: no`), { code }))
      const store = createLabelStore(folder, { readText })
      await expect(store.change(home(folder), adding(2))).rejects.toThrow(
        /cannot be read.*nothing/u,
      )
      expect(readFileSync(join(folder, 's.labels.jsonl'), 'utf8')).toBe(
        `${JSON.stringify(label(1))}\n`,
      )
    },
  )

  it('a broken line in the middle is kept as it is, with the line ends of the file', async () => {
    const lines = [JSON.stringify(label(1)), '{"event": 2, broken', JSON.stringify(label(3))]
    const folder = makeFolder({ 's.labels.jsonl': `${lines.join('\r\n')}\r\n` })
    await createLabelStore(folder).change(home(folder), adding(4))
    const after = [...lines, JSON.stringify(label(4)), ''].join('\r\n')
    expect(readFileSync(join(folder, 's.labels.jsonl'), 'utf8')).toBe(after)
  })

  it('labels of the coach that cannot be read are not written over', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'labels', 's.coach.jsonl'), { recursive: true })
    await expect(openCoachLabels(folder).set('s', coachLabel(1))).rejects.toThrow(/folder/u)
    expect(readdirSync(join(folder, 'labels'))).toEqual(['s.coach.jsonl'])
  })

  it('a state that cannot be read is not written over, and that is said', async () => {
    const folder = makeFolder({ 'state.json': 'whole, but not to be read now' })
    const said: string[] = []
    const readText = () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
    const store = openStateStore(folder, (line) => said.push(line), readText)
    expect((await store.change({ theme: 'dark' })).theme).toBe('dark')
    expect(said.join('\n')).toMatch(/could not be read.*\n.*not be saved/u)
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('whole')
  })
})

describe('[F16] one writer a file', () => {
  it('two processes that write labels at the same time lose nothing', async () => {
    const folder = makeFolder()
    const COUNT = caseCount('files: labels of two writers')
    const writer = (from: number) => `
      const { createLabelStore } = await import(${url('label-store.ts')})
      const { openCoachLabels } = await import(${url('../coach/main/labels.ts')})
      const store = createLabelStore(${JSON.stringify(folder)})
      const coach = openCoachLabels(${JSON.stringify(folder)})
      for (let n = ${from}; n < ${from} + ${COUNT}; n += 1) {
        await store.change(${JSON.stringify(home(folder))}, {
          line: () => 'keep', end: () => [{ ...${JSON.stringify(label(0))}, event: n }] })
        if (n % 5 === 0) await coach.set('s', { ...${JSON.stringify(coachLabel(0))}, seq: n, content: 'c' + n })
      }`
    expect(await Promise.all([child(writer(0)), child(writer(COUNT))])).toEqual([0, 0])
    const [file] = await createLabelStore(folder).read(home(folder))
    const events = file?.lines.map(({ value }) => (value && 'event' in value ? value.event : -1))
    expect(events?.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 2 * COUNT }, (_, n) => n),
    )
    expect(await openCoachLabels(folder).of('s')).toHaveLength((2 * COUNT) / 5)
    expect(readdirSync(folder).toSorted()).toEqual(['labels', 's.labels.jsonl'])
  })

  it('the lock of a process that is gone is taken over; that of a living one is waited for', async () => {
    const path = join(makeFolder(), 'a')
    const lock = (pid: number, host = hostname()) =>
      writeFileSync(`${path}.lock`, JSON.stringify({ pid, host, token: 'x' }))
    lock(999_999_999)
    expect(await withLock(path, () => Promise.resolve('done'))).toBe('done')
    expect(readdirSync(join(path, '..'))).toEqual([])
    lock(process.pid)
    await expect(withLock(path, () => Promise.resolve(1), 200)).rejects.toThrow(/another process/u)
    expect(readdirSync(join(path, '..'))).toEqual(['a.lock'])
    // It is unknown whether a process of a different machine is alive, and a lock may be half written.
    for (const text of [JSON.stringify({ pid: 1, host: 'elsewhere', token: 'x' }), '{']) {
      writeFileSync(`${path}.lock`, text)
      await expect(withLock(path, () => Promise.resolve(1), 200)).rejects.toThrow(/another/u)
      const old = new Date(Date.now() - 120_000)
      utimesSync(`${path}.lock`, old, old)
      expect(await withLock(path, () => Promise.resolve(2))).toBe(2)
    }
  })
})
