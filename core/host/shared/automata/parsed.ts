import { isDeepStrictEqual } from 'node:util'
import { type KeptFiles, keptFileName } from './kept-files.ts'

/** Keeps what files of a workspace hold, from one start to the next. */
export interface ParsedStore {
  /** What the text of a file of this kind holds, as it was parsed and checked before; undefined: it was not. */
  readonly read: (kind: string, text: string) => unknown
  /** To be called with what was parsed and checked. */
  readonly keep: (kind: string, text: string, value: unknown) => void
}

/** UTF-16 units of text below which reading YAML takes no longer than reading the file of what it held. */
const WORTH_KEEPING = 4000

/** Name of the file for a text. */
export const parsedFileName = (kind: string, text: string): string =>
  keptFileName(`parsed ${kind}`, [text])

/** [C23] What a text holds depends on the text alone, so that it is checked once. Nothing here fails. */
export function createParsedStore(files: KeptFiles): ParsedStore {
  /** Names of files that are there. */
  const there = new Set<string>()
  return {
    read: (kind, text) => {
      if (text.length < WORTH_KEEPING) return undefined
      const name = parsedFileName(kind, text)
      const value = files.read(name)
      if (value !== undefined) there.add(name)
      return value
    },
    keep: (kind, text, value) => {
      if (text.length < WORTH_KEEPING) return
      const name = parsedFileName(kind, text)
      if (there.has(name) || !isJson(value)) return
      there.add(name)
      files.write(name, value)
    },
  }
}

/** Whether JSON gives it back as it is. */
export const isJson = (value: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)
