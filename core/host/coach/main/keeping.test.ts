import {
  appendFileSync,
  chmodSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { openAuditLog } from './audit-log.ts'
import { endpointOf } from './endpoint.ts'
import { createFileVault } from './key-file.ts'
import { createCoachKeys } from './keys.ts'
import { settingsFor } from '../../../../fixtures/model-servers.ts'
import { type StoredAnswer, openVerdictStore } from './verdict-store.ts'
import { gateWith, openedGate } from '../../../../fixtures/trust.ts'

const silent = () => undefined

function answer(content: string, more: Partial<StoredAnswer> = {}): StoredAnswer {
  return {
    at: 1,
    content,
    promptHash: 'p',
    model: 'm',
    provider: 'anthropic',
    baseUrl: 'u',
    raw: '{"type":"status"}',
    inputTokens: 1,
    outputTokens: 2,
    dollars: null,
    elapsedMs: 3,
    ...more,
  }
}

describe('kept verdicts', () => {
  it('[V13] are found again by content, prompt, model, provider and address, and by nothing less', async () => {
    const folder = makeFolder()
    await openVerdictStore(folder, silent).add(answer('a'))
    const store = openVerdictStore(folder, silent)
    expect(await store.find(answer('a'))).toMatchObject({ raw: '{"type":"status"}' })
    for (const other of ['promptHash', 'model', 'provider', 'baseUrl', 'content'] as const) {
      expect(await store.find({ ...answer('a'), [other]: 'other' })).toBeNull()
    }
  })

  it('[V13] a torn or foreign line costs nothing but itself', async () => {
    const folder = makeFolder()
    await openVerdictStore(folder, silent).add(answer('a'))
    const path = join(folder, 'coach', 'verdicts.jsonl')
    appendFileSync(path, '{"x":1}\nnot json\n{"at":1,"content":"b","pro')
    const store = openVerdictStore(folder, silent)
    expect(await store.find(answer('a'))).not.toBeNull()
    await store.add(answer('c'))
    const again = openVerdictStore(folder, silent)
    expect(await again.find(answer('a'))).not.toBeNull()
    expect(await again.find(answer('c'))).not.toBeNull()
  })

  it('[V13] the oldest go first, and the file is rewritten when most of it is outdated', async () => {
    const folder = makeFolder()
    const path = join(folder, 'coach', 'verdicts.jsonl')
    const store = openVerdictStore(folder, silent, 3)
    for (const content of ['a', 'b', 'c', 'd']) await store.add(answer(content))
    expect(await store.find(answer('a'))).toBeNull()
    expect(await store.find(answer('d'))).not.toBeNull()
    const line = `${JSON.stringify(answer('d'))}\n`
    appendFileSync(path, line.repeat(3000))
    expect(await openVerdictStore(folder, silent, 3).find(answer('d'))).not.toBeNull()
    expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(10)
  })

  it('runs of one output are all there, newest first', async () => {
    const store = openVerdictStore(makeFolder(), silent)
    await store.add(answer('a', { at: 1 }))
    await store.add(answer('a', { at: 2, promptHash: 'q' }))
    expect((await store.runs('a')).map((run) => run.promptHash)).toEqual(['q', 'p'])
  })
})

describe('audit log', () => {
  const entry = (reason: string) => ({
    time: 't',
    preview: 'p',
    result: 'status',
    confidence: 1,
    reason,
    source: 'rules',
  })

  it('[V16] is rotated at its size, loses no line on the way, and keeps three older files', async () => {
    const folder = makeFolder()
    const log = openAuditLog(folder, silent, 1000)
    for (let n = 0; n < 80; n += 1) log.add([entry(`number ${n}`)])
    await log.settled()
    const dir = join(folder, 'coach')
    expect(readdirSync(dir).toSorted()).toEqual([
      'audit.1.jsonl',
      'audit.2.jsonl',
      'audit.3.jsonl',
      'audit.jsonl',
    ])
    const names = ['audit.3.jsonl', 'audit.2.jsonl', 'audit.1.jsonl', 'audit.jsonl']
    const reasons = names
      .flatMap((name) => readFileSync(join(dir, name), 'utf8').trim().split('\n'))
      .map((line) => (JSON.parse(line) as { reason: string }).reason)
    const last = reasons.length
    expect(reasons).toEqual(Array.from({ length: last }, (_, n) => `number ${80 - last + n}`))
    for (const name of names) expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(1000)
  })

  it('[V16] holds 10 MB before it is rotated, also across a restart', async () => {
    const folder = makeFolder({ 'coach/audit.jsonl': `${'x'.repeat(10 * 1024 * 1024 - 20)}\n` })
    const log = openAuditLog(folder, silent)
    log.add([entry('after the limit')])
    await log.settled()
    expect(statSync(join(folder, 'coach', 'audit.jsonl')).size).toBeLessThan(1000)
    expect(statSync(join(folder, 'coach', 'audit.1.jsonl')).size).toBeGreaterThan(10_000_000)
  })
})

const fileVault = () =>
  createFileVault('/workspace', '/workspace/.turnscope', { TURNSCOPE_KEYS: makeFolder() })

describe('the key', () => {
  const own = settingsFor('anthropic', 'https://api.anthropic.com/v1')
  const foreign = settingsFor('anthropic', 'https://gateway.example.com/v1')
  const here = settingsFor('anthropic', 'http://127.0.0.1:4000/v1')

  it('[V19] the variable of a provider goes to the provider and to this machine, nowhere else', async () => {
    const keys = createCoachKeys(fileVault(), { ANTHROPIC_API_KEY: 'env-key' }, openedGate())
    expect(await keys.keyFor(own)).toBe('env-key')
    expect(await keys.keyFor(here)).toBe('env-key')
    expect(await keys.keyFor(foreign)).toBeNull()
    expect(
      await keys.keyFor(settingsFor('openai-compatible', 'https://api.openai.com/v1')),
    ).toBeNull()
    const state = await keys.state(foreign)
    expect(state).toMatchObject({
      from: 'none',
      why: expect.stringContaining('TURNSCOPE_COACH_KEY') as unknown,
    })
    expect(JSON.stringify(state)).not.toContain('env-key')
  })

  it('[V19] [V40] a kept key is in a file for its owner only, outside of the workspace', async () => {
    const workspace = makeFolder()
    const folder = makeFolder()
    const env = { TURNSCOPE_KEYS: join(folder, 'keys') }
    const keys = createCoachKeys(
      createFileVault(workspace, join(workspace, '.turnscope'), env),
      {},
      openedGate(),
    )
    expect(await keys.set(own, ' kept-key ')).toMatchObject({ from: 'file', canStore: true })
    const [name = ''] = readdirSync(join(folder, 'keys'))
    const path = join(folder, 'keys', name)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700)
    expect(readdirSync(workspace)).toEqual([])
    expect(await keys.keyFor(own)).toBe('kept-key')
    expect(await keys.keyFor(foreign)).toBeNull()
    expect((await keys.state(foreign)).why).toContain('https://api.anthropic.com')
    writeFileSync(path, 'garbage')
    expect(await keys.keyFor(own)).toBeNull()
    expect(await keys.set(own, null)).toMatchObject({ from: 'none' })
    expect(readdirSync(join(folder, 'keys'))).toEqual([])
  })

  it('[V40] a key file that others can read is not used, and the state says what to do', async () => {
    const folder = makeFolder()
    const keys = createCoachKeys(
      createFileVault('/w', '/w/.turnscope', { TURNSCOPE_KEYS: folder }),
      {},
      openedGate(),
    )
    await keys.set(own, 'kept-key')
    const path = join(folder, readdirSync(folder)[0] ?? '')
    chmodSync(path, 0o644)
    expect(await keys.keyFor(own)).toBeNull()
    expect((await keys.state(own)).why).toContain('enter a new one')
    await keys.set(own, 'new-key')
    expect(await keys.keyFor(own)).toBe('new-key')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('[V40] a key that lies in the workspace is not used, nor a folder for keys inside of it', async () => {
    const workspace = makeFolder({
      '.turnscope/coach/key.json': JSON.stringify({
        key: 'k',
        origin: 'https://api.anthropic.com',
      }),
    })
    const state = join(workspace, '.turnscope')
    const outside = createFileVault(workspace, state, { TURNSCOPE_KEYS: makeFolder() })
    const keys = createCoachKeys(outside, {}, openedGate())
    expect(await keys.keyFor(own)).toBeNull()
    expect((await keys.state(own)).why).toContain('delete that file')
    const link = join(makeFolder(), 'link')
    symlinkSync(workspace, link)
    for (const folder of [join(workspace, 'keys'), join(link, 'keys')]) {
      const inside = createCoachKeys(
        createFileVault(workspace, state, { TURNSCOPE_KEYS: folder }),
        {},
        openedGate(),
      )
      expect((await inside.state(own)).canStore).toBe(false)
      await expect(inside.set(own, 'k')).rejects.toThrow('TURNSCOPE_KEYS')
    }
  })

  it('[V19] TURNSCOPE_COACH_KEY comes first and goes elsewhere only where a person allowed it', async () => {
    const env = { TURNSCOPE_COACH_KEY: 'any', ANTHROPIC_API_KEY: 'own' }
    const vault = fileVault()
    const keys = createCoachKeys(vault, env, gateWith(env))
    // Settings lie in the workspace, so its maker may have written them all.
    for (const settings of [own, here, foreign]) {
      expect(await keys.keyFor(settings)).toBeNull()
      expect((await keys.state(settings)).why).toContain('turnscope trust')
    }
    const pair = 'TURNSCOPE_COACH_KEY@https://gateway.example.com'
    const paired = createCoachKeys(vault, env, gateWith({ ...env, TURNSCOPE_ALLOW_ENV: pair }))
    expect(await paired.keyFor(foreign)).toBe('any')
    expect(await paired.keyFor(own)).toBeNull()
    const trusted = createCoachKeys(vault, env, openedGate())
    expect(await trusted.keyFor(own)).toBe('any')
    expect(await trusted.keyFor(here)).toBe('any')
    expect(await trusted.keyFor(foreign)).toBe('any')
  })

  it('[V19] no key goes over plain http to another machine', async () => {
    const plain = settingsFor('openai-compatible', 'http://192.168.1.20:8000/v1')
    const env = {
      TURNSCOPE_COACH_KEY: 'any',
      TURNSCOPE_ALLOW_ENV: 'TURNSCOPE_COACH_KEY@http://192.168.1.20:8000',
    }
    const named = createCoachKeys(fileVault(), env, gateWith(env))
    expect(await named.keyFor(plain)).toBeNull()
    expect((await named.state(plain)).why).toContain('unencrypted')
    const kept = createCoachKeys(fileVault(), {}, openedGate())
    expect(await kept.set(plain, 'kept-key')).toMatchObject({ from: 'none' })
    expect(await kept.keyFor(plain)).toBeNull()
  })

  it.each([
    ['http://127.0.0.1:11434/v1', true],
    ['http://localhost:1234/v1', true],
    ['http://192.168.1.20:8000/v1', true],
    ['http://ollama:11434/v1', true],
    ['https://10.example.com/v1', false],
    ['https://api.openai.com/v1', false],
  ])('[V18] %s is local: %s', (url, local) => {
    const endpoint = endpointOf(settingsFor('openai-compatible', url))
    expect(endpoint).toMatchObject({ ok: true, value: { local } })
  })

  it.each(['file:///etc/passwd', 'ftp://x.example/', 'https://user:pass@x.example/'])(
    '[V18] %s is no address of a model',
    (url) => expect(endpointOf(settingsFor('anthropic', url))).toMatchObject({ ok: false }),
  )
})
