import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RedactionKind } from '../../../engine/schema/redaction.ts'
import { loadConfig } from '../../files/config-files.ts'
import { openTranscript } from '../../files/transcript.ts'
import { openWorkspace } from '../../files/workspace.ts'
import { replaySession } from '../../session/replay.ts'
import { createTimeLimit } from '../guard.ts'
import { compilePipeline } from '../pipelines.ts'
import { type PageRequest, exportPage } from './export-page.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const CONFIG = { preset: 'recommended', domains: 'mine', profile: null, classify: null }
const SECRET = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
const HOSTILE = `</script><script>alert(1)</script> <img src=x onerror=alert(1)> ${SECRET}`

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
  return {
    ...{ transcript: opened.value.transcript, chosen: null, turns: null, config: config.value },
    ...{ compare: null, labels: `{"note":"${SECRET}"}\n`, name: 'session.jsonl', version: '0.0.0' },
    redaction: { kinds: RedactionKind.options },
    shipped,
    replay: async (session) => {
      const { signal } = new AbortController()
      const limit = createTimeLimit()
      return (await replaySession(compiled.value, session, { limit, signal })).columns
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
  expect(about.join(' ')).toContain('momentum begins anew at turn 2')
  const page = await exportPage(await request({ turns: [4, 9] }))
  expect(page).toMatchObject({ ok: false, error: { do: 'It has turns 1 to 3' } })
})

test('[R11] without a build it is said what to do', async () => {
  const page = await exportPage(await request({ shipped: folder }))
  expect(page).toMatchObject({ ok: false, error: { do: 'Run `npm run build`' } })
})
