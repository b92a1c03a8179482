import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { caseCount } from '../../../fixtures/cases.ts'
import { CLI } from '../../../fixtures/built.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import {
  batchesOf,
  ENCODINGS,
  exported,
  exporters,
  logsOf,
  spansOf,
} from '../../../fixtures/otlp.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../engine/schema/event.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-otlp-killed-'))
const site = join(folder, 'site')
mkdirSync(site)
writeFileSync(join(site, 'index.html'), '<title>here</title>')
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

interface Serving {
  readonly child: ChildProcess
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly err: () => string
}

/** Starts the real program. Returns the settings that it prints for sending programs. */
async function serve(state: string, ...more: readonly string[]): Promise<Serving> {
  const args = ['serve', '--root', site, '--workspace', folder, '--json', ...more]
  const env = { ...process.env, XDG_STATE_HOME: state }
  const child = spawn(process.execPath, [CLI, ...args], { env })
  children.push(child)
  let out = ''
  let err = ''
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const lines = await new Promise<readonly string[]>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString()
      if (out.endsWith('\n'))
        resolve((JSON.parse(out) as { readonly otlp?: readonly string[] }).otlp ?? [])
    })
    child.on('close', () => reject(new Error(err)))
  })
  const set = new Map(lines.map((line) => [line.split('=', 1)[0], line.replace(/^\w+=/u, '')]))
  const [name = '', value = ''] = (set.get('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(/=(.*)/su)
  const url = set.get('OTEL_EXPORTER_OTLP_ENDPOINT') ?? ''
  return { child, url, headers: name === '' ? {} : { [name]: value }, err: () => err }
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('close', resolve))

describe.each(ENCODINGS)('a receiver that is killed, over %s', (encoding) => {
  it('[F152] [F153] [F155] spans and logs are there once when they were sent again', async () => {
    const state = mkdtempSync(join(tmpdir(), 'turnscope-otlp-state-'))
    const records = join(state, 'turnscope', 'live', 'otlp')
    let host = await serve(state, '--otlp', '0')
    const { port } = new URL(host.url)
    const { traces, logs } = exporters(encoding, host, true)
    const count = caseCount('otlp: spans across a kill')
    const spans = batchesOf(spansOf('bed-watch', count))
    const said = batchesOf(logsOf('chat-1', 1000), 100)
    const answered = new Set<string>()
    let failed = 0
    for (const [n, batch] of spans.entries()) {
      if (n === 8) {
        // Killed during a request: it is unknown whether the data was written, so the exporter itself sends it again.
        const sending = exported(traces, batch)
        host.child.kill('SIGKILL')
        await ended(host.child)
        const before = readFileSync(join(records, 'bed-watch.jsonl'), 'utf8')
        const there = new Set(before.match(/(?<="spanId":")\w+/gu))
        expect([...answered].filter((id) => !there.has(id))).toEqual([])
        expect(there.size).toBeGreaterThanOrEqual(8 * 512)
        host = await serve(state, '--otlp', port)
        await sending
      }
      for (let more = 0; more < 5; more += 1) {
        const error = await exported(traces, batch)
        if (error === null) break
        failed += 1
      }
      for (const span of batch) answered.add(span.spanContext().spanId)
      const log = said[n]
      if (log !== undefined) expect(await exported(logs, log)).toBeNull()
    }
    expect(failed).toBeLessThan(5)
    expect(readdirSync(records).toSorted()).toEqual(['bed-watch.jsonl', 'chat-1.jsonl'])
    const texts = async (name: string) => {
      const read = await readTranscript(join(records, name))
      return read.ok ? read.value.sessions.flatMap(plainEvents).map(({ text }) => text) : []
    }
    expect(await texts('bed-watch.jsonl')).toEqual(
      Array.from({ length: count }, (_, n) => [
        `is bed ${n} dry? ünïcode 🌱`,
        `bed ${n} is wet`,
      ]).flat(),
    )
    expect(await texts('chat-1.jsonl')).toEqual(
      Array.from({ length: 1000 }, (_, n) => (n % 2 === 0 ? `water bed ${n}` : `bed ${n} is done`)),
    )
    host.child.kill('SIGTERM')
    expect(await ended(host.child)).toBe(0)
    const replayed = await runCli(['replay', join(records, 'chat-1.jsonl'), '--json'])
    expect(replayed.code).toBe(0)
    expect(replayed.out.trimEnd().split('\n').length).toBeGreaterThan(400)
  }, 120_000)
})

describe('serve --otlp', () => {
  it('[F147] [F155] nothing listens until it is asked for; then the token stays the same', async () => {
    const state = mkdtempSync(join(tmpdir(), 'turnscope-otlp-state-'))
    const off = await serve(state)
    expect([off.url, off.headers, off.err()]).toEqual(['', {}, expect.any(String)])
    off.child.kill('SIGTERM')
    const first = await serve(state, '--otlp', '0')
    await expect.poll(first.err).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${first.url}`)
    expect(first.err()).toContain('CLAUDE_CODE_ENABLE_TELEMETRY=1')
    const second = await serve(state, '--otlp', '0')
    expect(second.headers).toEqual(first.headers)
    expect(Object.values(second.headers)).toEqual([expect.stringMatching(/^[\w-]{32}$/u)])
    const port = new URL(first.url).port
    const taken = await serve(state, '--otlp', port).catch((error: unknown) => String(error))
    expect(taken).toContain(
      `127.0.0.1:${port}: the port of the receiver is in use by another program. If that is a Turnscope`,
    )
    expect(taken).toContain('choose another port with turnscope serve --otlp PORT')
    first.child.kill('SIGTERM')
    second.child.kill('SIGTERM')
  }, 60_000)

  it('[F148] without a token where it says so', async () => {
    const state = mkdtempSync(join(tmpdir(), 'turnscope-otlp-state-'))
    const host = await serve(state, '--otlp', '0', '--otlp-no-token')
    expect(host.headers).toEqual({})
    const { traces } = exporters('json', host)
    expect(await exported(traces, spansOf('open', 5))).toBeNull()
    await expect.poll(host.err).toContain('from every program of this machine')
    host.child.kill('SIGTERM')
  }, 60_000)
})
