import { z } from 'zod'

const Columns = z.object({
  session: z.string(),
  turn: z.string().nullable(),
  message: z.string(),
  kind: z.string().nullable(),
})

const File = z.object({
  path: z.string(),
  size: z.number(),
  /** Milliseconds since 1970; 0 if the file is not on this machine. */
  changed: z.number(),
  kind: z.enum(['parquet', 'csv', 'lines', 'transcript']),
  columns: Columns.optional(),
})

/** [F116] Everything that determines the output of a batch: equal plans over unchanged files give equal bytes. */
export const Plan = z.object({
  /**
   * 3: every row of a part, and the states of its turns. Results without this field are layout 1 and may lack rows.
   * Layout 2 lacks the states. Neither is treated as layout 3.
   */
  layout: z.number().default(1),
  engine: z.string(),
  duckdb: z.string(),
  /** Hashes of the configurations (F110); `against` is the other side. */
  config: z.string(),
  against: z.string().nullable(),
  files: z.array(File),
  /** Type that turns of tables are compared as. */
  order: z.enum(['HUGEINT', 'DOUBLE', 'TIMESTAMP', 'VARCHAR']),
  /** Sessions are divided by their hash into so many parts. */
  parts: z.int().min(1),
})
export type Plan = z.infer<typeof Plan>

/** The layout that this program writes. */
export const LAYOUT = 3

/** The first layout that has every row of a part. */
export const COMPLETE_LAYOUT = 2
