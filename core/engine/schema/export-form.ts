import { z } from 'zod'

/** [U129] What sessions are written as for others, besides a page and the native lines. */
export const ExportForm = z.enum(['markdown', 'jsonl', 'otel', 'csv'])
export type ExportForm = z.infer<typeof ExportForm>
