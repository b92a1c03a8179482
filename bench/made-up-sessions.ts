import { closeSync, openSync, writeSync } from 'node:fs'

/** A small dedicated generator, so that every run measures the same files. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const WORDS =
  'the a file test build error function returns value when parser reads line of module and then checks whether state holds before it writes output again with path config retry timeout log trace session agent user tool result index cache'.split(
    ' ',
  )

type Random = () => number

function prose(random: Random, words: number): string {
  const out: string[] = []
  for (let at = 0; at < words; at += 1) {
    out.push(WORDS[Math.floor(random() * WORDS.length)] ?? '')
    if (at % 14 === 13) out.push('\n')
  }
  return out.join(' ')
}

/** Between `least` and `most`, small ones far more often. */
function sized(random: Random, least: number, most: number): number {
  return Math.floor(least * (most / least) ** (random() ** 2))
}

interface Writer {
  readonly put: (text: string) => void
  readonly bytes: () => number
  readonly close: () => void
}

function createWriter(path: string): Writer {
  const fd = openSync(path, 'w')
  let parts: string[] = []
  let waiting = 0
  let written = 0
  const flush = () => {
    written += writeSync(fd, parts.join(''))
    parts = []
    waiting = 0
  }
  return {
    put: (text) => {
      parts.push(text)
      waiting += text.length
      if (waiting > 4 << 20) flush()
    },
    bytes: () => written + waiting,
    close: () => {
      flush()
      closeSync(fd)
    },
  }
}

const uuid = (random: Random): string => {
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const a = part()
  const b = part()
  const c = part()
  const d = part()
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(0, 3)}-${c.slice(4)}${d}`
}

/**
 * A session in the shape of Claude Code: prompts, thoughts, texts, calls and results with the result
 * once more beside the message, reminders, sidechains, snapshots, and a few images.
 */
export function writeClaudeSession(path: string, bytes: number): void {
  const random = seeded(20260226)
  const out = createWriter(path)
  const sessionId = uuid(random)
  let parentUuid: string | null = null
  let at = Date.parse('2026-02-26T08:00:00Z')
  const record = (type: string, fields: object, isSidechain = false) => {
    const id = uuid(random)
    at += Math.floor(random() * 4000)
    const common = {
      parentUuid,
      isSidechain,
      userType: 'external',
      cwd: '/home/dev/project',
      sessionId,
      version: '2.0.14',
      gitBranch: 'main',
      type,
    }
    const timestamp = new Date(at).toISOString()
    out.put(`${JSON.stringify({ ...common, ...fields, uuid: id, timestamp })}\n`)
    parentUuid = id
  }
  const user = (content: unknown, more: object = {}, side = false) =>
    record('user', { message: { role: 'user', content }, ...more }, side)
  const assistant = (block: object, side = false) => {
    const usage = { input_tokens: 12, cache_read_input_tokens: 31_000, output_tokens: 420 }
    const message = {
      id: `msg_${uuid(random)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [block],
      stop_reason: null,
      usage,
    }
    record('assistant', { message, requestId: `req_${uuid(random)}` }, side)
  }
  const call = (side: boolean) => {
    const id = `toolu_${uuid(random)}`
    const name = ['Bash', 'Read', 'Grep', 'Edit'][Math.floor(random() * 4)] ?? 'Bash'
    const input = { command: prose(random, 8), description: prose(random, 6) }
    assistant({ type: 'tool_use', id, name, input }, side)
    const isImage = random() < 0.004
    const size = sized(random, 60, 24_000)
    const text = prose(random, Math.ceil(size / 6))
    const data = isImage ? Buffer.alloc(sized(random, 60_000, 900_000), id).toString('base64') : ''
    const source = { type: 'base64', media_type: 'image/png', data }
    const content = isImage ? [{ type: 'image', source }] : text
    const result = { tool_use_id: id, type: 'tool_result', content, is_error: random() < 0.05 }
    const toolUseResult = isImage
      ? { type: 'image' }
      : { stdout: text, stderr: '', interrupted: false }
    user([result], { toolUseResult }, side)
  }
  while (out.bytes() < bytes) {
    user(prose(random, sized(random, 5, 400)))
    if (random() < 0.2)
      out.put(`${JSON.stringify({ type: 'file-history-snapshot', snapshot: {} })}\n`)
    const steps = Math.floor(random() * 14)
    for (let step = 0; step < steps; step += 1) {
      const side = random() < 0.1
      if (random() < 0.4) {
        const thinking = prose(random, sized(random, 20, 300))
        assistant({ type: 'thinking', thinking, signature: uuid(random).repeat(10) }, side)
      }
      if (random() < 0.5)
        assistant({ type: 'text', text: prose(random, sized(random, 8, 200)) }, side)
      call(side)
    }
    assistant({ type: 'text', text: prose(random, sized(random, 20, 500)) })
  }
  out.close()
}

/** One JSON document: a list of chat messages. */
export function writeOpenAiDocument(path: string, bytes: number): void {
  const random = seeded(4242)
  const out = createWriter(path)
  out.put('{"model":"gpt-5","messages":[')
  for (let at = 0; out.bytes() < bytes; at += 1) {
    const id = `call_${uuid(random)}`
    const content = prose(random, sized(random, 8, 400))
    const command = prose(random, 10)
    const call = { name: 'shell', arguments: JSON.stringify({ command }) }
    const messages = [
      { role: 'user', content },
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: id, content: prose(random, sized(random, 10, 4000)) },
      { role: 'assistant', content: prose(random, sized(random, 10, 300)) },
    ]
    out.put(`${at === 0 ? '' : ','}\n${messages.map((one) => JSON.stringify(one)).join(',\n')}`)
  }
  out.put('\n]}\n')
  out.close()
}
