import { z } from 'zod'
import { parseJson } from '../../engine/result.ts'
import { type BatchFolders, textOrNull } from './folders.ts'
import { COMPLETE_LAYOUT, Plan } from './plan-schema.ts'

/** [F116] Manifest of a complete batch. It contains no time, so that equal batches have equal bytes. */
export const Manifest = z.object({
  schemaVersion: z.literal(1),
  plan: Plan,
  sessions: z.number(),
  /** Rows that could be used, and rows that could not (they are in `errors.jsonl`). */
  rows: z.number(),
  unusable: z.number(),
  turns: z.number(),
  /** Null: one configuration only. */
  flips: z.number().nullable(),
  /** Sentences about patterns that took too long. */
  cutOffs: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

/** Rows that a part of layout 1 never lost: it wrote nothing before it had so many turns. */
const NEVER_LOST = 20_000

/** [F166] True if rows may be missing although the results do not report it. */
export function mayLackRows({ plan, rows }: Manifest): boolean {
  return plan.layout < COMPLETE_LAYOUT && rows >= NEVER_LOST
}

/** The manifest of a folder; null if the folder has no complete batch. */
export async function readManifest({
  manifest,
}: Pick<BatchFolders, 'manifest'>): Promise<Manifest | null> {
  const text = await textOrNull(manifest)
  if (text === null) return null
  const json = parseJson(text)
  const read = json.ok ? Manifest.safeParse(json.value) : null
  return read?.success === true ? read.data : null
}
