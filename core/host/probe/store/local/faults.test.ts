import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FAULTS, withFault } from '../../../../../fixtures/faults.ts'
import {
  type Row,
  chunkOf,
  randomFrom,
  randomVector,
  valueOf,
} from '../../../../../fixtures/probe/store-conformance.ts'
import { openedGate } from '../../../../../fixtures/trust.ts'
import { openStore } from '../drivers.ts'

const random = randomFrom(4)
const rows: readonly Row[] = Array.from({ length: 60 }, (_, index) => ({
  chunk: chunkOf(`f${index % 6}.md`, index, `word${index} everywhere`),
  vector: randomVector(32, random),
}))
const temporary = () => mkdtempSync(join(tmpdir(), 'turnscope-store-'))
const open = (folder: string) =>
  openStore({ entry: { name: 'notes', paths: [] }, folder, env: {}, trust: openedGate() })

/** The store as it is read by the next start: how much there is, and every chunk that can be found. */
async function contents(folder: string): Promise<string> {
  const opened = await open(folder)
  if (!opened.ok) return `${opened.error.kind}: ${opened.error.what}`
  const store = opened.value
  const stats = await store.stats()
  const queries = rows.map(({ vector }, n) => ({ text: `word${n}`, vector }))
  const found = stats.ok && stats.value.chunks > 0 ? await store.search(queries, { k: 60 }) : null
  await store.close()
  if (!stats.ok || found?.ok === false)
    return `cannot be searched: ${JSON.stringify(found ?? stats)}`
  const { chunks, documents } = stats.value
  return JSON.stringify([chunks, documents, found?.value.map((each) => each.length)])
}

/** Adds the last twenty rows. Rejects if the store reports a failure. */
async function addMore(folder: string): Promise<void> {
  const store = valueOf(await open(folder))
  try {
    valueOf(await store.upsert('e', rows.slice(40)))
  } finally {
    await store.close()
  }
}

async function begin(): Promise<string> {
  const folder = join(temporary(), 'store')
  const store = valueOf(await open(folder))
  valueOf(await store.upsert('e', rows.slice(0, 40)))
  await store.close()
  return folder
}

describe('[F23] an error at any call of an index', () => {
  it('of ours: the old or the new chunks, what was acknowledged is there, the next one goes well', async () => {
    const first = await begin()
    const next = () => {
      const folder = join(temporary(), 'store')
      cpSync(first, folder, { recursive: true })
      return folder
    }
    const old = await contents(next())
    const well = next()
    const { seen } = await withFault({ root: well, at: 0, fault: 'EIO' }, () => addMore(well))
    const fresh = await contents(well)
    expect([old.slice(0, 7), fresh.slice(0, 7)]).toEqual(['[40,6,[', '[60,6,['])
    const problems: string[] = []
    for (const fault of FAULTS.filter((each) => each !== 'stop')) {
      for (let at = 1; at <= seen.calls.length; at += 1) {
        const folder = next()
        const { end, seen: done } = await withFault({ root: folder, at, fault }, () =>
          addMore(folder),
        )
        const now = await contents(folder)
        const where = `${fault} at ${at}, ${done.failed ?? 'nothing'}: `
        if (now !== old && now !== fresh) problems.push(`${where}neither: ${now}`)
        if (done.leftOpen.length > 0) problems.push(`${where}left open: ${done.leftOpen.join()}`)
        if (end.status === 'fulfilled' && now !== fresh) problems.push(`${where}not there`)
        await addMore(folder).catch((error: unknown) => problems.push(where + String(error)))
        if ((await contents(folder)) !== fresh) problems.push(`${where}the next one`)
        rmSync(join(folder, '..'), { recursive: true })
      }
    }
    expect(seen.calls.length).toBeGreaterThan(10)
    expect(problems).toEqual([])
  }, 120_000)

  it.runIf(process.platform === 'linux')(
    'of SQLite and ours: files that may not grow beyond a limit, which the system enforces',
    async () => {
      const first = await begin()
      const old = await contents(first)
      const url = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))
      const code = `
        const { openStore } = await import(${url('../drivers.ts')})
        const [folder] = process.argv.slice(1)
        const opened = await openStore({ entry: { name: 'notes', paths: [] }, folder, env: {} })
        if (!opened.ok) { console.log('refused ' + opened.error.what); process.exit() }
        const rows = JSON.parse(process.env.ROWS).map(({ chunk, vector }) => ({ chunk, vector: Float32Array.from(vector) }))
        const done = await opened.value.upsert('e', rows)
        console.log(done.ok ? 'saved' : 'refused ' + done.error.what)
        await opened.value.close()`
      const more = rows.slice(40).map(({ chunk, vector }) => ({ chunk, vector: [...vector] }))
      const ends = new Set<string>()
      for (const kilobytes of [0, 4, 8, 24, 40, 56, 64, 72, 80, 96, 4096]) {
        const folder = join(temporary(), 'store')
        cpSync(first, folder, { recursive: true })
        // The signal is ignored, so that a write fails or stops half way instead.
        const limited = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" --input-type=module -e "$1" "$2" | cat`
        const ran = spawnSync('bash', ['-c', limited, process.execPath, code, folder], {
          encoding: 'utf8',
          env: { ...process.env, NODE_OPTIONS: '', ROWS: JSON.stringify(more) },
        })
        const told = ran.stdout.trim()
        const now = await contents(folder)
        if (told === 'saved') expect(now).not.toBe(old)
        else expect([told.slice(0, 8), now, kilobytes]).toEqual(['refused ', old, kilobytes])
        ends.add(told.slice(0, 7))
        await addMore(folder)
        expect(await contents(folder)).toMatch(/^\[60,6,/u)
      }
      expect([...ends].toSorted()).toEqual(['refused', 'saved'])
    },
    120_000,
  )
})
