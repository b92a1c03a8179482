import { hash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RedactionKind } from '../../engine/schema/redaction.ts'
import { Tour } from '../../engine/schema/tour.ts'
import { loadConfig } from '../workspace/config-files.ts'
import { parseLabels } from '../labels/label-file.ts'
import { createLabelStore } from '../labels/label-store.ts'
import { openTranscript } from '../transcripts/transcript.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { draftFile } from '../drafts/session/draft-store.ts'
import { replaySession } from '../replay/session/replay.ts'
import { labelsOf } from '../labels/session/turn-labels.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { compilePipeline } from '../rules/pipelines.ts'
import { withoutTexts } from '../export/session/without-texts.ts'
import { exportPage } from './export-page.ts'
import type { PageRequest } from './page-request.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CONFIG = { preset: 'recommended', domains: 'mine', profile: null, classify: null }
const SECRET = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
const HOSTILE = `</script><script>alert(1)</script> <img src=x onerror=alert(1)> ${SECRET}`

const HASH = hash('sha256', HOSTILE).slice(0, 16)
const LABELS = [
  { event: 1, sha256: HASH, primary: 'planning', note: `see ${SECRET}` },
  { text: 'plan the whole thing', primary: 'planning' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-export-page-'))
  cpSync(join(ROOT, 'profiles'), join(folder, 'shipped/profiles'), { recursive: true })
  cpSync(join(ROOT, 'prompts'), join(folder, 'shipped/prompts'), { recursive: true })
  for (const part of ['boot/boot.js', 'host/host.js', 'app/app.js', 'app/app.css']) {
    mkdirSync(join(folder, 'shipped/dist/page', part, '..'), { recursive: true })
    writeFileSync(join(folder, 'shipped/dist/page', part), `/* ${part} </script> */`)
  }
  const domains = join(folder, 'workspace/profiles/domains')
  mkdirSync(domains, { recursive: true })
  cpSync(join(ROOT, 'fixtures/lab/domains.yaml'), join(domains, 'mine.yaml'))
  writeFileSync(join(domains, 'private.yaml'), 'version: 1\ndomains: []\n')
  const lines = [
    { type: 'session', schemaVersion: 1, id: 's', title: HOSTILE },
    ...['plan the roadmap', HOSTILE, 'and now commit it'].map((text) => ({ kind: 'user', text })),
  ]
  writeFileSync(join(folder, 'session.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function request(more: Partial<PageRequest> = {}): Promise<PageRequest> {
  const shipped = join(folder, 'shipped')
  const workspace = openWorkspace(join(folder, 'workspace'), shipped)
  const config = await loadConfig(workspace, CONFIG)
  const opened = await openTranscript(join(folder, 'session.jsonl'))
  if (!config.ok || !opened.ok) throw new Error('the fixture cannot be read')
  const compiled = compilePipeline(config.value)
  if (!compiled.ok) throw new Error(compiled.error.what)
  const { transcript } = opened.value
  const source = { transcript, chosen: null, labels: LABELS, name: 'session.jsonl' }
  return {
    sources: [source],
    turns: null,
    config: config.value,
    compare: null,
    version: '0.0.0',
    text: true,
    edit: true,
    draft: null,
    tour: null,
    more: {},
    redaction: { kinds: RedactionKind.options },
    shipped,
    replay: async (session) => {
      const options = { limit: createTimeLimit(), signal: new AbortController().signal }
      const replay = await replaySession(compiled.value, session, options)
      const { columns } = replay
      return { columns, withoutTexts: () => withoutTexts(session, [replay], options) }
    },
    ...more,
  }
}

async function pageOf(more: Partial<PageRequest> = {}) {
  const page = await exportPage(await request(more))
  if (!page.ok) throw new Error(page.error.what)
  const { html, about } = page.value
  const packed = /id="files">([^<]*)</u.exec(html)?.[1] ?? ''
  const text = inflateRawSync(Buffer.from(packed, 'base64')).toString()
  return { html, about, files: JSON.parse(text) as Readonly<Record<string, string>> }
}

test('[R11] no text of a session becomes a tag, and no script ends before its end', async () => {
  const { html } = await pageOf()
  expect(html.match(/<script/gu)).toHaveLength(6)
  expect(html.match(/<\/script>/gu)).toHaveLength(6)
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x')
})

test('[R11] what is redacted is redacted in transcript, labels, title and plain view', async () => {
  const { html, files } = await pageOf()
  expect(html).not.toContain(SECRET)
  expect(JSON.stringify(files)).not.toContain(SECRET)
  const open = await pageOf({ redaction: null })
  expect(JSON.stringify(open.files)).toContain(SECRET)
})

test('[R12] of a workspace only the named files leave it', async () => {
  const { files } = await pageOf()
  const own = Object.keys(files).filter((path) => path.startsWith('/workspace/'))
  expect(own.toSorted()).toEqual([
    '/workspace/profiles/domains/mine.yaml',
    '/workspace/session.jsonl',
    '/workspace/session.labels.jsonl',
  ])
  expect(Object.keys(files)).toContain('/shipped/profiles/presets/field.yaml')
})

test('[R14] turns that are left out are said; turns that are not there are refused', async () => {
  const { files, about } = await pageOf({ turns: [2, 3] })
  expect(files['/workspace/session.jsonl']).not.toContain('roadmap')
  expect(about.join(' ')).toContain('momentum starts again at turn 2')
  const page = await exportPage(await request({ turns: [4, 9] }))
  expect(page).toMatchObject({ ok: false, error: { do: 'It has turns 1 to 3' } })
})

test('[R11] without a build it is said what to do', async () => {
  const page = await exportPage(await request({ shipped: folder }))
  const advice = 'Wait until the background build of `npm start` is done, or run `npm run build`'
  expect(page).toMatchObject({ ok: false, error: { do: advice } })
})

test('[U136] a tour goes into the page: redacted, of whatever the session is called there', async () => {
  const stops = [
    { turn: 2, tab: 'decision', panel: 'tune', say: `Look at ${SECRET}.` },
    { turn: 1, say: 'Done.' },
  ]
  const tour = { id: 'mine', tour: Tour.parse({ title: 'T', session: 'session', stops }) }
  const { html, files } = await pageOf({ tour })
  const text = files['/workspace/tours/mine.yaml'] ?? ''
  expect(text).toContain('session: any')
  expect(text).not.toContain(SECRET)
  expect(html).toContain('tour=mine.1&turn=2&tab=decision&dock=tune')
  const cut = await exportPage(await request({ tour, turns: [1, 2] }))
  expect(cut).toMatchObject({ ok: false, error: { where: 'mine' } })
})

test('[U122] a label finds its event again, though its text was redacted or masked, or has another number', async () => {
  for (const more of [{}, { text: false }, { turns: [2, 3] as const }]) {
    const { files } = await pageOf(more)
    const { path, labels } = sessionOf(files)
    const opened = await openTranscript(path)
    if (!opened.ok) throw new Error(opened.error.what)
    const [session] = opened.value.transcript.sessions
    if (session === undefined) throw new Error('no session')
    const { bySeq, lost } = labelsOf([{ path, fingerprint: '', lines: labels }], session, {
      index: 0,
    })
    expect(lost).toEqual([])
    expect([...bySeq.values()].map(({ primary }) => primary)).toEqual(['planning'])
  }
})

test('[U120] without texts nothing that was said is in the page, and every decision is', async () => {
  const { html, files, about } = await pageOf({ text: false })
  const all = `${html}${files['/workspace/session.jsonl']}${files['/workspace/session.labels.jsonl']}`
  for (const said of ['plan the', 'alert(1)', 'and now', 'whole thing'])
    expect(all).not.toContain(said)
  expect(about.join(' ')).toContain('Dots stand for messages')
  expect(html).toContain('16 characters')

  const { path } = sessionOf(files)
  const before = await request()
  const after = await request()
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  const [masked] = opened.value.transcript.sessions
  const [whole] = before.sources[0]?.transcript.sessions ?? []
  if (masked === undefined || whole === undefined) throw new Error('no session')
  const one = await before.replay(whole)
  const other = await after.replay(masked)
  expect(JSON.stringify(other.columns)).toBe(JSON.stringify(one.columns))
  expect(one.columns.scorePairs.length).toBeGreaterThan(0)
})

test('[U121] a way to decide that nothing was recorded for is refused, not guessed', async () => {
  const { files } = await pageOf({ text: false })
  const { path } = sessionOf(files)
  const opened = await openTranscript(path)
  const shipped = join(folder, 'shipped')
  const workspace = openWorkspace(join(folder, 'workspace'), shipped)
  const config = await loadConfig(workspace, { ...CONFIG, domains: 'default' })
  if (!opened.ok || !config.ok) throw new Error('the fixture cannot be read')
  const compiled = compilePipeline(config.value)
  const [session] = opened.value.transcript.sessions
  if (!compiled.ok || session === undefined) throw new Error('the fixture cannot be read')
  const options = { limit: createTimeLimit(), signal: new AbortController().signal }
  await expect(replaySession(compiled.value, session, options)).rejects.toThrow(/were left out/u)
})

test('[U124] sessions of several files are one list; ids that occur twice get a number', async () => {
  const { sources } = await request()
  const { files } = await pageOf({ sources: [...sources, ...sources] })
  const path = Object.keys(files).find(
    (each) => each.endsWith('.jsonl') && !each.includes('.labels.'),
  )
  expect(path).toBe('/workspace/session and 1 more.jsonl')
  const heads = (files[path ?? ''] ?? '')
    .split('\n')
    .filter((line) => line.includes('"schemaVersion"'))
  expect(heads.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['s', 's (2)'])
  const labels = files['/workspace/session and 1 more.labels.jsonl'] ?? ''
  expect(labels).toContain('"session":"s (2)"')
})

/** The session and the labels of a page, written to readable files. */
function sessionOf(files: Readonly<Record<string, string>>) {
  const path = join(mkdtempSync(join(folder, 'out-')), 'session.jsonl')
  writeFileSync(path, files['/workspace/session.jsonl'] ?? '')
  return { path, labels: parseLabels(files['/workspace/session.labels.jsonl'] ?? '') }
}

test('[U125] [U126] a page that is opened again decides byte for byte as the session did, with its labels', async () => {
  const { html } = await pageOf({ redaction: null })
  const path = join(folder, 'round trip.html')
  writeFileSync(path, html)
  const asked = await request()
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  const [session] = opened.value.transcript.sessions
  const [whole] = asked.sources[0]?.transcript.sessions ?? []
  if (session === undefined || whole === undefined) throw new Error('no session')
  const one = await asked.replay(whole)
  const other = await asked.replay(session)
  expect(JSON.stringify(other.columns)).toBe(JSON.stringify(one.columns))
  const store = createLabelStore(join(folder, 'workspace'))
  const labels = await store.read({ path, name: 'round trip.html', fixed: null })
  const { bySeq, lost } = labelsOf(labels, session, { index: 0 })
  expect([...bySeq].map(([seq, { note }]) => [seq, note])).toEqual([[1, `see ${SECRET}`]])
  expect(lost).toEqual([])
})

test('[U123] a draft goes along where it can be edited on, and nowhere else', async () => {
  const draft = (path: string) => draftFile('/workspace', path, { saved: 'a\n', text: 'a\nb\n' })
  const drafts = async (more: Partial<PageRequest>) =>
    Object.keys((await pageOf({ draft, ...more })).files).filter((path) =>
      path.includes('/drafts/'),
    )
  expect(await drafts({})).toHaveLength(1)
  expect(await drafts({ edit: false })).toEqual([])
  expect(await drafts({ text: false })).toEqual([])
})
