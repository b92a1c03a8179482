import { z } from 'zod'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { ReplayConfig } from '../../engine/schema/replay.ts'
import { LibraryStats, ProblemText } from '../../engine/schema/library.ts'
import { Excerpt } from '../../wire/contract.ts'

/** What the main process asks of a worker for the library; nothing is kept open afterwards. */
export const readingContract = {
  'library.read': {
    kind: 'call',
    in: z.object({ path: z.string(), config: ReplayConfig, compare: ReplayConfig.nullable() }),
    out: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('read'),
        format: z.string(),
        label: z.string(),
        title: z.string(),
        startedAt: z.number().nullable(),
        sessions: z.int(),
        events: z.int(),
        problems: z.int(),
        stats: LibraryStats,
      }),
      z.object({ kind: z.literal('skipped'), reason: z.string() }),
      z.object({ kind: z.literal('failed'), problem: ProblemText }),
    ]),
  },
  'library.findIn': {
    kind: 'call',
    in: z.object({
      path: z.string(),
      query: z.string(),
      config: ReplayConfig,
      compare: ReplayConfig.nullable(),
      /** Excerpts of a session at most. */
      most: z.int(),
    }),
    out: z.object({
      sessions: z.int(),
      found: z.array(
        z.object({
          session: z.int(),
          title: z.string(),
          total: z.int(),
          excerpts: z.array(Excerpt),
        }),
      ),
      /** What is wrong with the query. A file that cannot be read has nothing to find. */
      problem: ProblemText.nullable(),
      cutOff: z.int(),
    }),
  },
} as const
export type Reading = Immutable<z.infer<(typeof readingContract)['library.read']['out']>>
