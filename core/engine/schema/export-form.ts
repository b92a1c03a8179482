import { z } from 'zod'

/** [U129] Export formats for sessions, besides a page and the native lines. */
export const ExportForm = z.enum(['markdown', 'jsonl', 'otel', 'csv'])
export type ExportForm = z.infer<typeof ExportForm>
