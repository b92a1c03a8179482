import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, makeSession, openIn, windowOf } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const folder = makeFolder({ 'five.jsonl': makeSession(5), 'prose.txt': 'no transcript' })

test('[F167] what opened is told and joins the recent files; what is missing, or no transcript, does neither', async () => {
  const told: string[] = []
  const own = makeHostHere({ onOpened: (path) => void told.push(path) })
  const window = windowOf(own)
  try {
    const opened = join(folder, 'five.jsonl')
    const paths = [join(folder, 'missing.jsonl'), join(folder, 'prose.txt'), opened]
    for (const path of paths) await openIn(window, { kind: 'path', path }).catch(() => undefined)
    expect(told).toEqual([opened])
    const { recent } = await window.call('library.list', {})
    expect(recent.map(({ path }) => path)).toEqual([opened])
  } finally {
    await own.close()
  }
})
