import { unpackZstd } from '../platform/files/zstd.ts'
import type { Database, Row, Tables } from './sqlite.ts'

/** [I206] A program that keeps its sessions in SQLite. */
export interface Store {
  readonly product: string
  /** Tables that show the product. */
  readonly tables: readonly string[]
  /** Columns that its sessions are read from, by table. Another version of the product may lack some. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** The product's own way to write a session to a file that opens. */
  readonly export: string
  /** The sessions, as records of a format in the table of formats. */
  readonly records: (database: Database) => Iterable<StoreRecord>
}

export interface StoreRecord {
  readonly value: unknown
  /** The rows that it was made of. */
  readonly of: readonly Row[]
}

/** A value that is JSON as text; the value itself if it is not. */
function json(value: unknown): unknown {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function members(value: unknown): Row {
  const parsed = json(value)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Row)
    : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

interface Group {
  readonly key: string
  readonly rows: readonly Row[]
}

/** Rows with the same key that follow each other. */
function* groupsOf(rows: Iterable<Row>, keyOf: (row: Row) => string): Generator<Group, void> {
  let key: string | null = null
  let held: Row[] = []
  for (const row of rows) {
    const next = keyOf(row)
    if (key !== null && next !== key) {
      yield { key, rows: held }
      held = []
    }
    key = next
    held.push(row)
  }
  if (key !== null) yield { key, rows: held }
}

/** Rows of a second table that belong to groups of a first, where both are in the order of their keys. */
function besideOf(groups: Iterator<Group, void>): (key: string) => readonly Row[] {
  let current = groups.next()
  return (key) => {
    const wanted = Buffer.from(key)
    while (current.done !== true) {
      const order = Buffer.compare(Buffer.from(current.value.key), wanted)
      if (order > 0) return []
      const { rows } = current.value
      current = groups.next()
      if (order === 0) return rows
    }
    return []
  }
}

// OpenCode

function* opencodeRecords({ rows }: Database): Generator<StoreRecord, void> {
  const columns = (table: string) => OPENCODE[table] ?? []
  const sessions = new Map(
    [...rows({ table: 'session', columns: columns('session') })].map((row) => [
      textOf(row['id']),
      row,
    ]),
  )
  const messages = rows({
    table: 'message',
    columns: columns('message'),
    order: ['session_id', 'time_created', 'id'],
  })
  const parts = rows({
    table: 'part',
    columns: columns('part'),
    order: ['session_id', 'message_id', 'id'],
  })
  const partsOf = besideOf(groupsOf(parts, (row) => textOf(row['session_id'])))
  for (const { key, rows: said } of groupsOf(messages, (row) => textOf(row['session_id']))) {
    const own = partsOf(key)
    const byMessage = Map.groupBy(own, (row) => textOf(row['message_id']))
    const session = sessions.get(key) ?? {}
    const value = {
      info: {
        id: key,
        projectID: session['project_id'] ?? 'unknown',
        parentID: session['parent_id'] ?? undefined,
        directory: session['directory'] ?? undefined,
        title: session['title'] ?? undefined,
        time: { created: session['time_created'] ?? said[0]?.['time_created'] ?? 0 },
      },
      messages: said.map((row) => ({
        info: {
          time: { created: row['time_created'] },
          ...members(row['data']),
          id: row['id'],
          sessionID: key,
        },
        parts: (byMessage.get(textOf(row['id'])) ?? []).map((part) => ({
          ...members(part['data']),
          id: part['id'],
          messageID: row['id'],
          sessionID: key,
        })),
      })),
    }
    yield { value, of: [session, ...said, ...own] }
  }
}

const OPENCODE: Readonly<Record<string, readonly string[]>> = {
  session: ['id', 'project_id', 'parent_id', 'directory', 'title', 'time_created'],
  message: ['id', 'session_id', 'time_created', 'data'],
  part: ['id', 'message_id', 'session_id', 'data'],
}

// Cursor

const CHAT_KEY = 'workbench.panel.aichat.view.aichat.chatdata'
const COMPOSER_KEY = 'composer.composerData'

function* cursorRecords(database: Database): Generator<StoreRecord, void> {
  const kv = { table: 'cursorDiskKV', columns: ['key', 'value'], order: ['key'] }
  const of = (text: string) => database.rows({ ...kv, prefix: { column: 'key', text } })
  const idOf = (row: Row) => textOf(row['key']).split(':')[1] ?? ''
  const bubblesOf = besideOf(groupsOf(of('bubbleId:'), idOf))
  for (const row of of('composerData:')) {
    const id = idOf(row)
    const own = bubblesOf(id)
    const bubbles = own.map((bubble) => ({
      bubbleId: textOf(bubble['key']).split(':')[2] ?? '',
      ...members(bubble['value']),
    }))
    const composerData = members(row['value'])
    const value = { composerData: { composerId: id, ...composerData }, bubbles }
    yield { value, of: [row, ...own] }
  }
  for (const row of database.rows({ table: 'ItemTable', columns: ['key', 'value'] })) {
    const value = members(row['value'])
    const tabs = value['tabs']
    const composers = value['allComposers']
    if (row['key'] === CHAT_KEY && Array.isArray(tabs))
      for (const chatTab of tabs as unknown[]) yield { value: { chatTab }, of: [] }
    if (row['key'] !== COMPOSER_KEY || !Array.isArray(composers)) continue
    for (const composerData of composers as unknown[])
      if (Array.isArray(members(composerData)['conversation']))
        yield { value: { composerData, bubbles: [] }, of: [] }
  }
}

// Crush, Goose, Warp: a table of sessions and one of messages

function* withMessages(
  { rows }: Database,
  sessions: { readonly table: string; readonly columns: readonly string[]; readonly id: string },
  messages: {
    readonly table: string
    readonly columns: readonly string[]
    readonly session: string
    readonly order: readonly string[]
  },
): Generator<
  { readonly id: string; readonly session: Row; readonly messages: readonly Row[] },
  void
> {
  const known = new Map([...rows(sessions)].map((row) => [textOf(row[sessions.id]), row]))
  const order = [messages.session, ...messages.order]
  for (const { key, rows: said } of groupsOf(rows({ ...messages, order }), (row) =>
    textOf(row[messages.session]),
  ))
    yield { id: key, session: known.get(key) ?? {}, messages: said }
}

const CRUSH = {
  sessions: ['id', 'parent_session_id', 'title', 'created_at'],
  messages: ['id', 'session_id', 'role', 'parts', 'model', 'created_at'],
}

function* crushRecords(database: Database): Generator<StoreRecord, void> {
  const sessions = { table: 'sessions', columns: CRUSH.sessions, id: 'id' }
  const messages = {
    table: 'messages',
    columns: CRUSH.messages,
    session: 'session_id',
    order: ['created_at', 'rowid'],
  }
  for (const { id, session, messages: said } of withMessages(database, sessions, messages))
    yield {
      value: {
        crush: { ...session, id },
        messages: said.map((row) => ({ ...row, parts: json(row['parts']) })),
      },
      of: [session, ...said],
    }
}

const GOOSE = {
  sessions: ['id', 'name', 'description', 'working_dir', 'created_at', 'session_type'],
  messages: ['id', 'session_id', 'role', 'content_json', 'created_timestamp', 'metadata_json'],
}

function* gooseRecords(database: Database): Generator<StoreRecord, void> {
  const sessions = { table: 'sessions', columns: GOOSE.sessions, id: 'id' }
  const messages = {
    table: 'messages',
    columns: GOOSE.messages,
    session: 'session_id',
    order: ['id'],
  }
  for (const { id, session, messages: said } of withMessages(database, sessions, messages)) {
    const value = {
      working_dir: '',
      ...session,
      id,
      message_count: said.length,
      conversation: said.map((row) => ({
        role: row['role'],
        created: row['created_timestamp'],
        content: json(row['content_json']),
        metadata: json(row['metadata_json']) ?? undefined,
      })),
    }
    yield { value, of: [session, ...said] }
  }
}

const WARP = [
  'conversation_id',
  'exchange_id',
  'start_ts',
  'input',
  'working_directory',
  'output_status',
  'model_id',
]

function* warpRecords({ rows }: Database): Generator<StoreRecord, void> {
  const queries = rows({
    table: 'ai_queries',
    columns: WARP,
    order: ['conversation_id', 'start_ts'],
  })
  for (const { key, rows: said } of groupsOf(queries, (row) => textOf(row['conversation_id'])))
    yield {
      value: {
        warp: { conversation_id: key },
        queries: said.map((row) => ({ ...row, input: json(row['input']) })),
      },
      of: said,
    }
}

// Zed

function* zedRecords({ rows }: Database): Generator<StoreRecord, void> {
  for (const row of rows({ table: 'threads', columns: ZED })) {
    const { id, summary, data, data_type: type } = row
    const bytes = data instanceof Uint8Array ? data : Buffer.from(textOf(data))
    const value = {
      ...members(type === 'zstd' ? unpacked(bytes) : bytes),
      id,
      ...(typeof summary === 'string' ? { summary } : {}),
    }
    yield { value, of: [row] }
  }
}

const ZED = ['id', 'summary', 'updated_at', 'data_type', 'data']
const MOST_UNPACKED = 256_000_000

function unpacked(bytes: Uint8Array): Uint8Array {
  return unpackZstd(bytes, MOST_UNPACKED)
}

// Amazon Q, Kiro

function* amazonQRecords({ rows }: Database): Generator<StoreRecord, void> {
  const columns = ['key', 'conversation_id', 'value']
  for (const table of ['conversations', 'conversations_v2'])
    for (const row of rows({ table, columns })) {
      const { key, value } = row
      const path = typeof key === 'string' ? key : undefined
      yield { value: { ...members(value), path }, of: [row] }
    }
}

/** [I206] Stores by their tables. The first whose tables are all there is the one. */
export const STORES: readonly Store[] = [
  {
    product: 'OpenCode',
    tables: ['session', 'message', 'part'],
    columns: { message: ['id', 'session_id', 'data'], part: ['message_id', 'session_id', 'data'] },
    export: 'opencode export SESSION > session.json',
    records: opencodeRecords,
  },
  {
    product: 'Cursor',
    tables: ['ItemTable'],
    columns: { ItemTable: ['key', 'value'] },
    export: 'Export Chat in the menu of a chat',
    records: cursorRecords,
  },
  {
    product: 'Crush',
    tables: ['sessions', 'messages', 'files'],
    columns: { messages: ['session_id', 'role', 'parts'] },
    export: 'crush session export',
    records: crushRecords,
  },
  {
    product: 'Goose',
    tables: ['sessions', 'messages'],
    columns: { messages: ['session_id', 'role', 'content_json'] },
    export: 'goose session export --format json',
    records: gooseRecords,
  },
  {
    product: 'Zed',
    tables: ['threads'],
    columns: { threads: ['id', 'data_type', 'data'] },
    export: 'Open Thread as Markdown in the menu of a thread',
    records: zedRecords,
  },
  {
    product: 'Amazon Q or Kiro',
    tables: ['conversations'],
    columns: { conversations: ['key', 'value'] },
    export: '/save FILE.json in a chat',
    records: amazonQRecords,
  },
  {
    product: 'Amazon Q or Kiro',
    tables: ['conversations_v2'],
    columns: { conversations_v2: ['key', 'value'] },
    export: '/save FILE.json in a chat',
    records: amazonQRecords,
  },
  {
    product: 'Warp',
    tables: ['ai_queries'],
    columns: { ai_queries: ['conversation_id', 'input'] },
    export: 'Copy Conversation in the menu of a conversation',
    records: warpRecords,
  },
]

/** The store whose tables these are. */
export function storeOf(names: readonly string[]): Store | null {
  return STORES.find(({ tables }) => tables.every((table) => names.includes(table))) ?? null
}

/** Columns that a store reads and these tables lack: `message.data`. */
export function lackedBy({ columns }: Store, tables: Tables): readonly string[] {
  return Object.entries(columns).flatMap(([table, needed]) =>
    needed
      .filter((column) => tables.get(table)?.includes(column) !== true)
      .map((column) => `${table}.${column}`),
  )
}
