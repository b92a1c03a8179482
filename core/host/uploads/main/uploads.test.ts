import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, makeHost, makeSession, openIn, windowOf } from '../../../../fixtures/host.ts'
import type { Host } from '../../entries/host.ts'
import { onDisk } from './upload-faults.ts'
import { createUploads } from './uploads.ts'

type Window = ReturnType<typeof windowOf>

const TEXT = makeSession(12)

/** Sends a file as a browser does; returns the id that a link names. */
async function send(window: Window, text = TEXT, name = 'chat.jsonl'): Promise<string> {
  const bytes = Buffer.from(text)
  const begun = await window.call('upload.begin', { name, bytes: bytes.length })
  const half = Math.floor(bytes.length / 2)
  let { upload } = begun
  for (const part of [bytes.subarray(0, half), bytes.subarray(half)]) {
    const data = part.toString('base64')
    const done = await window.call('upload.chunk', { upload: begun.upload, data })
    upload = done.upload
  }
  return upload
}

const opening = (window: Window, upload: string) => openIn(window, { kind: 'upload', upload })

async function setLabel(window: Window, key: string, seq = 3): Promise<string> {
  const label = { primary: 'bugfix' }
  const { file } = await window.call('labels.set', { key, session: 0, seq, label })
  return file
}

async function labelsIn(window: Window, key: string) {
  const { labels, lost } = await window.call('labels.get', { key, session: 0, by: null })
  return { labels: labels.map(({ seq, label }) => [seq, label.primary]), lost: lost.length }
}

const inWorkspace = (workspace: string): Host =>
  makeHost({ workspace, stateDir: join(workspace, '.turnscope') })

test('[I96] [T86] an upload and its label are there after a restart of the host', async () => {
  const workspace = makeFolder()
  const first = inWorkspace(workspace)
  const window = windowOf(first)
  const upload = await send(window)
  const { key } = await opening(window, upload)
  await setLabel(window, key)
  await first.close()
  const second = inWorkspace(workspace)
  const again = windowOf(second)
  // The link of before.
  const linked = await opening(again, upload)
  expect(linked).toMatchObject({ name: 'chat.jsonl', lines: 13, path: null })
  expect(await labelsIn(again, linked.key)).toEqual({ labels: [[3, 'bugfix']], lost: 0 })
  expect(await send(again, TEXT)).toBe(upload)
  // Under another name it is an upload with that name, and has the labels of its content.
  const picked = await send(again, TEXT, 'renamed.jsonl')
  expect(picked).not.toBe(upload)
  expect(await labelsIn(again, (await opening(again, picked)).key)).toMatchObject({
    labels: [[3, 'bugfix']],
  })
  await second.close()
})

test('[I96] two windows that send one file end at one copy', async () => {
  const workspace = makeFolder()
  const host = inWorkspace(workspace)
  const first = windowOf(host)
  const second = windowOf(host)
  const [one, other] = await Promise.all([send(first), send(second)])
  expect(one).toBe(other)
  expect(stored(workspace)).toEqual([one])
  const { uploads } = await first.call('library.list', {})
  expect(uploads).toMatchObject([{ upload: one, name: 'chat.jsonl', bytes: TEXT.length }])
  await host.close()
})

test('[I96] an upload is readable by its owner only, and removed by the user, not while it is open', async () => {
  const workspace = makeFolder()
  const host = inWorkspace(workspace)
  const window = windowOf(host)
  const upload = await send(window)
  const folder = join(workspace, '.turnscope', 'uploads', upload)
  const modes = ['content', 'upload.json'].map((name) => statSync(join(folder, name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600])
  const { key } = await opening(window, upload)
  const labels = await setLabel(window, key)
  await expect(window.call('upload.remove', { upload })).rejects.toThrow('has this upload open')
  await window.call('session.close', { key })
  await window.call('upload.remove', { upload })
  expect(stored(workspace)).toEqual([])
  await expect(opening(window, upload)).rejects.toThrow('does not have the uploaded file any more')
  // The labels that the user made stay.
  expect(readFileSync(labels, 'utf8')).toContain('bugfix')
  const again = await opening(window, await send(window))
  expect(await labelsIn(window, again.key)).toMatchObject({ labels: [[3, 'bugfix']] })
  await host.close()
})

test('[T86] a file with the same content finds the labels from another folder, unless it has its own', async () => {
  const workspace = makeFolder()
  const host = inWorkspace(workspace)
  const window = windowOf(host)
  const byHash = await setLabel(window, (await opening(window, await send(window))).key)
  const elsewhere = makeFolder({
    'copy.jsonl': TEXT,
    'own.jsonl': TEXT,
    'other.jsonl': `${TEXT}\n`,
  })
  const open = async (name: string) =>
    (await openIn(window, { kind: 'path', path: join(elsewhere, name) })).key
  const copy = await open('copy.jsonl')
  expect(await labelsIn(window, copy)).toEqual({ labels: [[3, 'bugfix']], lost: 0 })
  // The file's own labels start as a copy, and the labels of the upload stay unchanged.
  const before = readFileSync(byHash, 'utf8')
  const file = await setLabel(window, copy, 5)
  expect(file).toBe(join(elsewhere, 'copy.labels.jsonl'))
  expect(await labelsIn(window, copy)).toMatchObject({
    labels: [
      [3, 'bugfix'],
      [5, 'bugfix'],
    ],
  })
  expect(readFileSync(byHash, 'utf8')).toBe(before)
  // Labels next to a file count alone.
  writeFileSync(join(elsewhere, 'own.labels.jsonl'), '# none yet\n')
  expect(await labelsIn(window, await open('own.jsonl'))).toMatchObject({ labels: [] })
  expect(await labelsIn(window, await open('other.jsonl'))).toMatchObject({ labels: [] })
  await host.close()
})

test('[T86] labels follow an upload that has grown, and stay with what it was', async () => {
  const workspace = makeFolder()
  const host = inWorkspace(workspace)
  const window = windowOf(host)
  const upload = await send(window)
  const { key } = await opening(window, upload)
  await setLabel(window, key)
  await window.call('session.close', { key })
  const more = Buffer.from(`${JSON.stringify({ kind: 'user', text: 'one more' })}\n`)
  const bytes = TEXT.length + more.length
  const renewed = await window.call('upload.renew', { upload, bytes, from: TEXT.length })
  expect(renewed).toEqual({ from: TEXT.length })
  await window.call('upload.chunk', { upload, data: more.toString('base64') })
  const grown = await opening(window, upload)
  expect(grown.lines).toBe(14)
  expect(await labelsIn(window, grown.key)).toMatchObject({ labels: [[3, 'bugfix']] })
  // The grown content is an upload of its hash, and the shorter one is a second upload.
  expect(await send(window, TEXT + more.toString())).toBe(upload)
  const shorter = await send(window)
  expect(shorter).not.toBe(upload)
  const { key: short } = await opening(window, shorter)
  expect(await labelsIn(window, short)).toMatchObject({ labels: [[3, 'bugfix']] })
  await host.close()
})

test('[T86] different labels of the grown content are not merged', async () => {
  const workspace = makeFolder()
  const host = inWorkspace(workspace)
  const window = windowOf(host)
  const more = `${JSON.stringify({ kind: 'user', text: 'one more' })}\n`
  const longer = await opening(window, await send(window, TEXT + more))
  const theirs = await setLabel(window, longer.key, 7)
  const upload = await send(window)
  const { key } = await opening(window, upload)
  const mine = await setLabel(window, key, 3)
  await window.call('session.close', { key })
  const files = () => [theirs, mine].map((path) => readFileSync(path, 'utf8'))
  const before = files()
  const bytes = TEXT.length + more.length
  await window.call('upload.renew', { upload, bytes, from: TEXT.length })
  await window.call('upload.chunk', { upload, data: Buffer.from(more).toString('base64') })
  expect(await labelsIn(window, (await opening(window, upload)).key)).toMatchObject({
    labels: [[3, 'bugfix']],
  })
  expect(files()).toEqual(before)
  await host.close()
})

test('[I96] a workspace without room or that cannot be written says what to do', async () => {
  const small = createUploads(makeFolder(), { most: 100 })
  await expect(small.begin('a.jsonl', 101)).rejects.toThrow(/over the limit.*Remove uploads/u)
  const full = createUploads(makeFolder(), { freeBytes: () => Promise.resolve(10) })
  await expect(full.begin('a.jsonl', 11)).rejects.toThrow(
    /disk of the workspace has 1 MiB left.*Free space/u,
  )
  // A file in the place of the folder: no account, not even root, can write below it.
  const blocked = createUploads(makeFolder({ uploads: '' }))
  await expect(blocked.begin('a.jsonl', 1)).rejects.toThrow(/could not be kept.*Check the folder/u)
  for (const [code, words] of [
    ['ENOSPC', /disk of the workspace is full.*remove uploads/u],
    ['EROFS', /cannot write into this workspace.*--workspace/u],
    ['EACCES', /cannot write into this workspace.*open the file by its path/u],
  ] as const) {
    const failing = () => Promise.reject(Object.assign(new Error(code), { code }))
    await expect(onDisk('/somewhere', failing)).rejects.toThrow(words)
  }
})

test('[I96] an upload that fails in the middle leaves nothing behind, and the next file is taken', async () => {
  const folder = makeFolder()
  const uploads = createUploads(folder)
  const id = await uploads.begin('a.jsonl', 4)
  const spool = readdirSync(join(folder, 'uploads')).map((name) =>
    join(folder, 'uploads', name, id),
  )
  expect(statSync(spool[0] ?? '').mode & 0o777).toBe(0o600)
  await expect(uploads.chunk(id, Buffer.from('12345').toString('base64'))).rejects.toThrow(
    'announced 4',
  )
  expect(readdirSync(dirname(spool[0] ?? ''))).toEqual([])
  const next = await uploads.begin('b.jsonl', 4)
  expect(await uploads.chunk(next, Buffer.from('1234').toString('base64'))).toMatchObject({
    received: 4,
  })
  await uploads.close()
  expect(readdirSync(join(folder, 'uploads'))).toEqual([next])
})

test('[I96] [F21] a link out of the state folder is not written to', async () => {
  const folder = makeFolder()
  const outside = makeFolder()
  symlinkSync(outside, join(folder, 'uploads'))
  await expect(createUploads(folder).begin('a.jsonl', 1)).rejects.toThrow('leads out of')
  expect(readdirSync(outside)).toEqual([])
})

/** Ids of the uploads that are stored. */
function stored(workspace: string): readonly string[] {
  const names = readdirSync(join(workspace, '.turnscope', 'uploads'))
  return names.filter((name) => !name.startsWith('.'))
}
