import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../../wire/rpc.ts'
import type { RightsContract } from '../../../wire/internal/rights.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  REPOSITORY,
  windowOf,
} from '../../../../fixtures/host.ts'
import { MACHINE } from '../../platform/threads/processes.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { ownAutomata } from '../../automata/write.ts'
import { createRestrictedThreads } from './restricted-thread.ts'
import { createRightsDesk } from './rights.ts'

const WORKER = new URL('../../../../fixtures/rights-worker.ts', import.meta.url)

test('[F24] a thread that reads transcripts reads, and does nothing else', async () => {
  const folder = makeFolder({ 'a.txt': 'read', 'a.node': '' })
  vi.stubEnv('TURNSCOPE_TEST_KEY', 'secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const said: string[] = []
  const threads = createRestrictedThreads(createRightsDesk(openWorkspace(folder)), (line) =>
    said.push(line),
  )
  const worker = threads.start(WORKER, { workerData: { folder } })
  const [told] = (await once(worker, 'message')) as [unknown]
  await worker.terminate()
  threads.close()
  expect(told).toEqual({
    read: 'read',
    'write elsewhere': 'ERR_ACCESS_DENIED',
    'make a folder elsewhere': 'ERR_ACCESS_DENIED',
    'start a program': 'ERR_ACCESS_DENIED',
    'start a thread': 'ERR_ACCESS_DENIED',
    'load native code': 'ERR_DLOPEN_DISABLED',
    'spill texts': 'done',
    'read a key of the environment': 'none',
    asked: expect.stringContaining('a thread may not write this as labels') as string,
  })
  expect(readdirSync(folder).toSorted()).toEqual(['a.node', 'a.txt'])
  expect(said).toEqual([])
})

test('[F24] what a thread could write to goes with the host, and with the next one where a host was killed', () => {
  const desk = createRightsDesk(openWorkspace(makeFolder()))
  // No process has this number: it is larger than any system gives.
  const left = join(tmpdir(), `turnscope-${MACHINE}-4194999999-abcdef`)
  mkdirSync(join(left, `turnscope-sqlite-${MACHINE}-4194999999-abcdef`), { recursive: true })
  const kept = mkdtempSync(join(tmpdir(), 'turnscope-other-'))
  const threads = createRestrictedThreads(desk)
  const worker = threads.start(WORKER, { workerData: { folder: kept } })
  expect(existsSync(left)).toBe(false)
  expect(existsSync(kept)).toBe(true)
  threads.close()
  const own = new RegExp(`^turnscope-${MACHINE}-${process.pid}-`, 'u')
  expect(readdirSync(tmpdir()).filter((name) => own.test(name))).toEqual([])
  return worker.terminate()
})

test('[C14] a thread may have an automaton kept under the name of one, and nothing else written there', async () => {
  const cache = makeFolder({})
  const own = ownAutomata({ XDG_CACHE_HOME: cache })
  const desk = createRightsDesk(openWorkspace(makeFolder({})), own?.keep)
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  desk.serve(asPort(port1))
  const thread = connect<RightsContract>(asPort(port2))
  const bytes = Uint8Array.of(1, 2, 3)
  const name = `${'a'.repeat(64)}.bin`
  for (const other of ['../x.bin', `../${name}`, 'settings.json', '']) {
    expect(await thread.call('automata.keep', { name: other, bytes })).toEqual({ kept: false })
  }
  expect(readdirSync(cache)).toEqual([])
  expect(await thread.call('automata.keep', { name, bytes })).toEqual({ kept: true })
  expect(readdirSync(join(cache, 'turnscope/automata'))).toEqual([name])
})

test('[F24] the desk writes each kind of file in its place, and nothing else', async () => {
  const root = makeFolder({ 'profiles/domains/a.yaml': 'domains: []\n' })
  const sessions = makeFolder({ 's.jsonl': '' })
  const desk = createRightsDesk(openWorkspace(root, REPOSITORY))
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  desk.serve(asPort(port1))
  const thread = connect<RightsContract>(asPort(port2))
  const save = (
    kind: 'labels' | 'domains' | 'coach' | 'drafts' | 'tours' | 'formats',
    path: string,
  ) => thread.call('save.files', { kind, files: [{ path, text: 'x\n' }] })
  const refused = [
    ['labels', join(sessions, 's.labels.jsonl')],
    ['labels', `${root}/labels/../x.labels.jsonl`],
    ['labels', join(root, 'profiles/domains/a.yaml')],
    ['labels', `${join(root, 'labels')}//s.labels.jsonl`],
    ['domains', join(root, 'profiles/presets/recommended.yaml')],
    ['domains', join(root, 'profiles/domains/a.sh')],
    ['domains', join(root, '.git/hooks/post-checkout')],
    ['coach', join(root, 'prompts/coach/other.md')],
    ['drafts', join(root, '.turnscope/settings.json')],
    ['drafts', `${root}/.turnscope/drafts/../../a.json`],
    ['drafts', join(root, '.turnscope/drafts/a/b/c.json')],
    ['tours', join(root, 'tours/a.sh')],
    ['tours', join(root, 'tours/deep/a.yaml')],
    ['tours', join(root, 'profiles/domains/a.yaml')],
    ['formats', join(root, 'profiles/formats/a.sh')],
    ['formats', join(root, 'profiles/formats/deep/a.yaml')],
    ['formats', join(root, 'profiles/presets/a.yaml')],
  ] as const
  for (const [kind, path] of refused) {
    await expect(save(kind, path), path).rejects.toThrow(/may not write this/u)
  }
  await expect(thread.call('save.aside', { path: join(root, 'package.json') })).rejects.toThrow(
    /may not write this/u,
  )
  desk.opened(join(sessions, 's.jsonl'))
  const allowed = [
    ['labels', join(sessions, 's.labels.jsonl')],
    ['labels', join(root, 'labels/s.labels.jsonl')],
    ['domains', join(root, 'profiles/domains/a.yaml')],
    ['coach', join(root, 'prompts/coach/rules.yaml')],
    ['drafts', join(root, '.turnscope/drafts/a.yaml-1/current.json')],
    ['tours', join(root, 'tours/a.yaml')],
    ['formats', join(root, 'profiles/formats/a.yaml')],
  ] as const
  for (const [kind, path] of allowed) {
    expect(await save(kind, path), path).toMatchObject({ kind: 'saved' })
  }
  // [V37] The gate is also checked here: a thread cannot start git without the operator's permission.
  expect(await thread.call('git.textAt', { path: REPOSITORY, revision: 'HEAD' })).toMatchObject({
    ok: false,
  })
})

const asPort = (port: MessagePort) => ({
  post: (message: unknown) => port.postMessage(message),
  onMessage: (listener: (message: unknown) => void) => void port.on('message', listener),
  onClose: (listener: () => void) => void port.once('close', listener),
})

test('[F24] a window saves labels, a draft, a domain file and an export all the same', async () => {
  const root = makeFolder({ 'profiles/domains/own.yaml': 'domains: []\n' })
  const sessions = makeFolder({ 's.jsonl': makeSession(3) })
  const host = makeHost({ workspace: root })
  const client = windowOf(host)
  const { key } = await openIn(client, { kind: 'path', path: join(sessions, 's.jsonl') })
  await client.call('labels.set', { key, session: 0, seq: 0, label: { primary: 'bugfix' } })
  const config = { ...CONFIG, domains: 'own' }
  const { fingerprint, text } = await client.call('draft.load', { config })
  await client.call('draft.keep', { config, text: `${text}# draft\n`, window: 'a' })
  await client.call('draft.save', { config, text: `${text}# saved\n`, fingerprint })
  const path = join(sessions, 'out.jsonl')
  await collect(client, 'export.write', { key, sessions: null, kinds: [], keep: [], path })
  await host.close()
  expect(readdirSync(sessions).toSorted()).toEqual(['out.jsonl', 's.jsonl', 's.labels.jsonl'])
})
