import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { OutputType } from '../../../engine/schema/coach.ts'

/** A labelled output that comes along with Turnscope. */
const ShippedRow = z.looseObject({
  id: z.string(),
  text: z.string(),
  type: OutputType,
  plan: z.string().nullish(),
  skill: z.string().nullish(),
})

export interface LabelledOutput {
  readonly from: 'session' | 'shipped'
  readonly id: string
  readonly seq: number | null
  readonly label: OutputType | null
  readonly text: string
  readonly plan: string | null
  readonly skill: string | null
}

/** The half to tune with. The other half measures, and is for nobody's eyes (fixtures/coach). */
const SHIPPED = 'fixtures/coach/written.train.jsonl'

export async function readShipped(root: string): Promise<readonly LabelledOutput[]> {
  const text = await readFile(join(root, SHIPPED), 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = ShippedRow.parse(JSON.parse(line))
      const { id, type: label, plan = null, skill = null } = row
      return { from: 'shipped' as const, id, seq: null, label, text: row.text, plan, skill }
    })
}
