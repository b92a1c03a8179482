import { blameLines } from '../shared/drafts/git.ts'

type Times = ReadonlyArray<number | null> | null

/** When the lines of files were last committed; asked of git once for each content. */
export interface BlameCache {
  /** `fingerprint`: of the text as it is saved now. */
  get(path: string, fingerprint: string): Promise<Times>
}

const KEPT = 20

export function createBlameCache(): BlameCache {
  const known = new Map<string, Promise<Times>>()
  return {
    get: (path, fingerprint) => {
      const key = `${fingerprint} ${path}`
      const times = known.get(key) ?? blameLines(path)
      known.set(key, times)
      const [oldest] = known.keys()
      if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
      return times
    },
  }
}
