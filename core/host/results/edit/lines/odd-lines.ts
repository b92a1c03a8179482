import { appendFileSync, rmSync } from '../../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { keptIn } from '../../../../engine/maps.ts'
import { plainLine } from '../../../batch/plain-lines.ts'
import type { SourceFile } from '../../source-file.ts'
import type { StretchFound } from './scan-stretch.ts'

/** Lines put aside of one source: the file that they stand in, and of each the row that it was. */
interface Aside {
  readonly path: string
  readonly rows: number[]
}

/** A source of lines that were put aside. */
export interface OddSource {
  readonly source: SourceFile
  /** Of each of its lines the row of the source that it was taken from. */
  readonly rows: readonly number[]
}

const LINE_FEED = Uint8Array.of(10)

/**
 * [F132] Puts lines aside whose texts the database has to tell, as files of lines with the columns of their sources.
 * @param folder of this process alone
 */
export function createOddLines(folder: string) {
  const asides = new Map<string, Aside>()
  return {
    add: ({ file, odd }: Pick<StretchFound, 'file' | 'odd'>): void => {
      if (odd.length === 0) return
      const { path, rows } = keptIn(asides, file, () => ({
        path: join(folder, `odd-${asides.size}.jsonl`),
        rows: [],
      }))
      appendFileSync(
        path,
        Buffer.concat(odd.flatMap(({ bytes }) => [plainLine(Buffer.from(bytes)), LINE_FEED])),
      )
      for (const { row } of odd) rows.push(row)
    },
    sources: (all: readonly SourceFile[]): readonly OddSource[] =>
      all.flatMap(({ planned }) => {
        const aside = asides.get(planned.path)
        if (aside === undefined) return []
        return [{ source: { planned, path: aside.path }, rows: aside.rows }]
      }),
    end: (): void => {
      for (const { path } of asides.values()) rmSync(path, { force: true })
    },
  }
}
