import { isDeepStrictEqual } from 'node:util'
import { type DerivedFiles, derivedFileName } from './derived-files.ts'

/** The text of a file, and what decides how it is read. */
interface ReadText {
  /** Kind of the file: presets, domains. */
  readonly kind: string
  /** Its name: JSON is more lenient than YAML, which knows a key that is given twice. */
  readonly name: string
  readonly text: string
}

/** Keeps what files of a workspace hold, from one start to the next. */
export interface ParsedStore {
  /** Returns the parsed and validated content that was kept for such a text; undefined if none was kept. */
  readonly read: (of: ReadText) => unknown
  /** Call this with the parsed and validated value. */
  readonly keep: (of: ReadText, value: unknown) => void
}

/** Minimum text length for caching, in UTF-16 units. Below it, parsing YAML is as fast as reading the cache file. */
const WORTH_KEEPING = 4000

/** Name of the file for a text. */
export const parsedFileName = ({ kind, name, text }: ReadText): string =>
  derivedFileName(`parsed ${kind}`, [name.endsWith('.json') ? 'JSON' : 'YAML', text])

/** [C23] The value of a text depends only on the text, so it is validated once. Nothing here fails. */
export function createParsedStore(files: DerivedFiles): ParsedStore {
  /** Names of files that are there. */
  const there = new Set<string>()
  return {
    read: (of) => {
      if (of.text.length < WORTH_KEEPING) return undefined
      const name = parsedFileName(of)
      const value = files.read(name)
      if (value !== undefined) there.add(name)
      return value
    },
    keep: (of, value) => {
      if (of.text.length < WORTH_KEEPING) return
      const name = parsedFileName(of)
      if (there.has(name) || !isJson(value)) return
      there.add(name)
      files.write(name, value)
    },
  }
}

/** Whether JSON gives it back as it is. */
export const isJson = (value: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)
