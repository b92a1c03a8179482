import type { ChunkRecord } from '../../../../engine/probe/ports.ts'
import { indexedText } from '../../../../engine/probe/chunk.ts'
import { lexicalWords } from '../lexical.ts'
import type { Database } from './database.ts'

/** Numbers of a chunk's words, as the database has them. */
export function wordIds(blob: unknown): Uint32Array {
  // A copy, because numbers of four bytes cannot begin anywhere.
  return blob instanceof Uint8Array ? new Uint32Array(blob.slice().buffer) : new Uint32Array(0)
}

/** Rows of the database that came or went, and the slots that are free now. */
export interface Written {
  readonly added: number
  readonly dropped: readonly number[]
}

/** Changes of word counts, written together. */
class WordCounts {
  readonly #changes = new Map<number, number>()
  readonly #ids = new Map<string, number>()
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Numbers of the words of a chunk, ascending. Words that are new get one. */
  add(words: readonly string[]): Uint32Array {
    const ids = Uint32Array.from(words, (word) => this.#idOf(word)).sort()
    this.#change(ids, 1)
    return ids
  }

  take(blob: unknown): void {
    this.#change(wordIds(blob), -1)
  }

  write(): void {
    const change = this.#db.prepare('UPDATE words SET chunks = chunks + ? WHERE id = ?')
    for (const [id, by] of this.#changes) if (by !== 0) change.run(by, id)
  }

  #idOf(word: string): number {
    const kept = this.#ids.get(word)
    if (kept !== undefined) return kept
    const found = this.#db.prepare('SELECT id FROM words WHERE word = ?').get(word)
    const id = Number(
      found?.['id'] ??
        this.#db.prepare('INSERT INTO words (word, chunks) VALUES (?, 0)').run(word)
          .lastInsertRowid,
    )
    this.#ids.set(word, id)
    return id
  }

  #change(ids: Uint32Array, by: number): void {
    for (const id of ids) this.#changes.set(id, (this.#changes.get(id) ?? 0) + by)
  }
}

/** Puts chunks at the slots from `slot` on, in place of those of the same file and index. */
export function putChunks(db: Database, chunks: readonly ChunkRecord[], slot: number): Written {
  const counts = new WordCounts(db)
  const dropped = chunks.flatMap(({ filename, chunk_idx }) =>
    dropWhere(db, counts, 'filename = ? AND chunk_idx = ?', [filename, chunk_idx]),
  )
  const insert = db.prepare(
    `INSERT INTO chunks (slot, filename, chunk_idx, text, heading, line_from, line_to, hash, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const index = db.prepare('INSERT INTO word_index (rowid, words) VALUES (?, ?)')
  chunks.forEach((chunk, offset) => {
    const words = lexicalWords(indexedText(chunk))
    const ids = counts.add(words)
    insert.run(
      slot + offset,
      chunk.filename,
      chunk.chunk_idx,
      chunk.text,
      chunk.heading,
      chunk.lines?.[0] ?? null,
      chunk.lines?.[1] ?? null,
      chunk.hash,
      new Uint8Array(ids.buffer),
    )
    index.run(slot + offset, words.join(' '))
  })
  counts.write()
  return { added: chunks.length, dropped }
}

/** Takes away all chunks of these files. */
export function dropFiles(db: Database, filenames: readonly string[]): Written {
  const counts = new WordCounts(db)
  const dropped = filenames.flatMap((name) => dropWhere(db, counts, 'filename = ?', [name]))
  counts.write()
  return { added: 0, dropped }
}

function dropWhere(
  db: Database,
  counts: WordCounts,
  where: 'filename = ?' | 'filename = ? AND chunk_idx = ?',
  values: ReadonlyArray<string | number>,
): readonly number[] {
  const rows = db.prepare(`SELECT slot, words FROM chunks WHERE ${where}`).all(...values)
  const note = db.prepare('INSERT INTO dropped VALUES (?)')
  const unlist = db.prepare('DELETE FROM word_index WHERE rowid = ?')
  const drop = db.prepare('DELETE FROM chunks WHERE slot = ?')
  return rows.map(({ slot, words }) => {
    counts.take(words)
    for (const statement of [note, unlist, drop]) statement.run(Number(slot))
    return Number(slot)
  })
}

/** Slots of all chunks, ascending. */
export function liveSlots(db: Database): readonly number[] {
  return db
    .prepare('SELECT slot FROM chunks ORDER BY slot')
    .all()
    .map(({ slot }) => Number(slot))
}

/**
 * Renumbers the chunks to the slots 0, 1, 2 …, in the order of `slots`. `slots` holds all slots in use, ascending, so
 * no slot is taken before it is free. Dropped slots are forgotten.
 */
export function renumber(db: Database, slots: readonly number[]): void {
  db.exec(`DELETE FROM dropped; INSERT INTO word_index (word_index) VALUES ('delete-all')`)
  const spelled = db.prepare('SELECT word FROM words WHERE id = ?')
  const spelling = new Map<number, string>()
  const wordOf = (id: number): string => {
    const word = spelling.get(id) ?? String(spelled.get(id)?.['word'])
    spelling.set(id, word)
    return word
  }
  const read = db.prepare('SELECT words FROM chunks WHERE slot = ?')
  const move = db.prepare('UPDATE chunks SET slot = ? WHERE slot = ?')
  const index = db.prepare('INSERT INTO word_index (rowid, words) VALUES (?, ?)')
  slots.forEach((from, to) => {
    const words = [...wordIds(read.get(from)?.['words'])]
    if (from !== to) move.run(to, from)
    index.run(to, words.map(wordOf).join(' '))
  })
}
