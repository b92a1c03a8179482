import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { valueOf } from './async-data.ts'
import { online } from './boot.ts'
import { cancelOpen, openFile, openSource } from './open.ts'
import { pathIn, pathsIn } from './pasted-paths.ts'
import {
  type Script,
  begin,
  connected,
  inputsOf,
  now,
  settled,
  startWindow,
} from '../../fixtures/window/scripted-host.ts'
import { TURNS } from '../../fixtures/window/scripted-session.ts'

let script: Script
beforeEach(() => {
  script = startWindow()
})

describe('opening', () => {
  it('loads what the host offers, and drops settings that the host does not know', async () => {
    await online(connected, '', () => undefined)
    expect(now().document.info.status).toBe('ready')
    expect(now().view).toMatchObject({
      theme: 'light',
      run: { preset: 'recommended', profile: null },
    })
    expect(now().document.opened.status).toBe('idle')
  })

  it('opens a sample with the comparison it is best seen with, at its first turn', async () => {
    await online(connected, '', () => undefined)
    openSource({ kind: 'sample', id: 'st-003' })
    await settled()
    expect(now().view).toMatchObject({ selected: 1, compare: { preset: 'literal' } })
    expect(valueOf(now().session.replay)?.flips).toHaveLength(3)
  })

  it('restores a deep link: session, turn, tab, preset, comparison', async () => {
    await begin('s=sample:st-003&n=1&turn=4&tab=momentum&preset=field&compare=literal&show=flips')
    expect(now().session.index).toBe(1)
    expect(now().view).toMatchObject({
      selected: TURNS[3],
      tab: 'momentum',
      show: 'flips',
      run: { preset: 'field' },
      compare: { preset: 'literal' },
    })
  })

  it('ignores what a link names and the host does not have', async () => {
    await begin('s=sample:st-003&n=9&turn=999&preset=none&compare=none')
    expect(now().session.index).toBe(0)
    expect(now().view).toMatchObject({ selected: 9, run: { preset: 'recommended' }, compare: null })
  })

  it('says what, where and what to do when a file cannot be opened', async () => {
    await online(connected, 's=path:/missing', () => undefined)
    await eventually(() =>
      expect(now().document.opened).toMatchObject({
        status: 'failed',
        failure: { what: 'There is no such file', where: '/missing', do: 'Check the path' },
      }),
    )
  })

  it('[I85] a file that cannot be opened does not close the session on screen', async () => {
    await begin()
    const before = now().document
    openSource({ kind: 'path', path: '/missing' })
    await eventually(() => expect(now().view.notice).toMatchObject({ where: '/missing' }))
    expect(now().document).toMatchObject({ source: before.source, pending: null, growth: null })
    expect(now().document.opened).toBe(before.opened)
    expect(now().session.replay.status).toBe('ready')
    expect(inputsOf(script, 'session.close')).toEqual([])
    openSource({ kind: 'path', path: '/good' })
    await eventually(() => expect(now().document.source).toEqual({ kind: 'path', path: '/good' }))
    expect(inputsOf(script, 'session.close')).toEqual([{ key: 'key' }])
    expect(now().view.notice).toBeNull()
  })

  it('[I87] a typed or pasted path is a path, other text is none', () => {
    expect(pathIn(' "/logs/my session.jsonl"\n')).toBe('/logs/my session.jsonl')
    expect(pathIn('file:///logs/a%20b.jsonl')).toBe('/logs/a b.jsonl')
    expect(pathIn('C:\\logs\\a.jsonl')).toBe('C:\\logs\\a.jsonl')
    expect(pathIn("'~/logs/a b.jsonl'")).toBe('~/logs/a b.jsonl')
    expect(pathIn('~/logs/a\\ b.jsonl ')).toBe('~/logs/a b.jsonl')
    expect(pathIn('file://localhost/logs/a.jsonl')).toBe('/logs/a.jsonl')
    for (const text of ['~', '~home', 'retry.py', '/a\n/b', 'turn 4', '/'])
      expect(pathIn(text)).toBe(null)
  })

  it('cancels on the host too', async () => {
    script.slowOpen = true
    await online(connected, '', () => undefined)
    openSource({ kind: 'path', path: '/big' })
    await eventually(() =>
      expect(now().document.opened).toMatchObject({ status: 'loading', progress: { done: 1 } }),
    )
    cancelOpen()
    expect(now().document.opened.status).toBe('idle')
    await eventually(() => expect(script.cancelled).toEqual(['session.open']))
  })

  it('sends a dropped file in chunks of at most 1 MiB, in order, and opens it', async () => {
    await online(connected, '', () => undefined)
    const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251)
    await openFile({ file: new File([bytes], 'mine.jsonl'), handle: null })
    await settled()
    const chunks = inputsOf(script, 'upload.chunk') as Array<{ data: string }>
    expect(chunks).toHaveLength(3)
    const joined = Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
    expect(joined.equals(Buffer.from(bytes))).toBe(true)
    const source = { kind: 'upload', name: 'mine.jsonl', upload: 'up' }
    await eventually(() =>
      expect(now().document).toMatchObject({ source, opened: { status: 'ready' } }),
    )
  })

  it('[I96] asks for a dropped file again where the link does not say which upload it was', async () => {
    await online(connected, 's=upload:mine.jsonl', () => undefined)
    expect(now().document.opened).toMatchObject({
      status: 'failed',
      failure: { where: 'mine.jsonl' },
    })
  })
})

it('[I97] pasted lines are paths, or none is', () => {
  expect(pathsIn('/a.jsonl\n"/b c.jsonl"\r\n\nfile:///d.jsonl\n')).toEqual([
    '/a.jsonl',
    '/b c.jsonl',
    '/d.jsonl',
  ])
  expect(pathsIn('/a.jsonl\nand prose')).toEqual([])
  expect(pathsIn('')).toEqual([])
})
