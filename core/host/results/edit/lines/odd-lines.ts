import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from '../../source-file.ts'
import type { StretchFound } from './scan-stretch.ts'

/** Lines put aside of one source. */
interface Aside {
  readonly path: string
  readonly handle: number
  readonly rows: number[]
}

/** A source of lines that were put aside. */
export interface OddSource {
  readonly source: SourceFile
  /** Of each of its lines the row of the source that it was taken from. */
  readonly rows: readonly number[]
}

const LINE_FEED = Uint8Array.of(10)

/** [F132] Puts lines aside whose texts the database has to tell, as files of lines with the columns of their sources. */
export function createOddLines(folder: string) {
  const asides = new Map<string, Aside>()

  function asideOf(file: string): Aside {
    const known = asides.get(file)
    if (known !== undefined) return known
    const path = join(folder, `odd-${asides.size}.jsonl`)
    const made = { path, handle: openSync(path, 'w', 0o600), rows: [] }
    asides.set(file, made)
    return made
  }

  return {
    add: ({ file, odd }: Pick<StretchFound, 'file' | 'odd'>): void => {
      for (const { row, bytes } of odd) {
        const { handle, rows } = asideOf(file)
        writeSync(handle, bytes)
        writeSync(handle, LINE_FEED)
        rows.push(row)
      }
    },
    sources: (all: readonly SourceFile[]): readonly OddSource[] =>
      all.flatMap(({ planned }) => {
        const aside = asides.get(planned.path)
        if (aside === undefined) return []
        return [{ source: { planned, path: aside.path }, rows: aside.rows }]
      }),
    end: (): void => {
      for (const { path, handle } of asides.values()) {
        closeSync(handle)
        rmSync(path, { force: true })
      }
    },
  }
}
