import { z } from 'zod'
import { labContract } from '../../wire/lab.ts'
import { Key } from '../../wire/shapes.ts'
import { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Contract } from '../../wire/rpc.ts'

/** Where the labels of a transcript are: beside it, or in the workspace (T3). */
export const LabelHome = z.object({
  path: z.string(),
  /** File name as people know it; an upload's path says nothing. */
  name: z.string(),
  /** False for what is not a person's own file: a sample, an upload. */
  beside: z.boolean(),
})
export type LabelHome = Readonly<z.infer<typeof LabelHome>>

/** A transcript that a corpus is made of. */
const LabFile = z.object({
  home: LabelHome,
  /** Path as people know it; null for an upload. */
  shown: z.string().nullable(),
  /** Key of the opened file, or null. */
  key: Key.nullable(),
})
export type LabFile = Readonly<z.infer<typeof LabFile>>

const at = { home: LabelHome }

/**
 * The lab's part of what the main process asks of a thread. Methods about a corpus go to the lab's
 * own thread, those about an opened session to the thread that holds it, and drafts to the one that
 * answers for the workspace.
 */
export const labWorkerContract = {
  ...labContract,
  'lab.open': {
    kind: 'stream',
    in: z.object({
      corpus: Key,
      files: z.array(LabFile),
      folders: z.array(z.string()),
      samples: z.boolean(),
      config: ReplayConfig,
    }),
    out: labContract['lab.open'].out,
  },
  /** Labels of an opened file have changed: those of the corpus are read again. */
  'lab.relabel': {
    kind: 'call',
    in: z.object({ corpus: Key, key: Key }),
    out: z.object({}),
  },
  'lab.flips': { ...labContract['lab.flips'], packed: true },
  'lab.matrix': { ...labContract['lab.matrix'], packed: true },
  'lab.lint': { ...labContract['lab.lint'], packed: true },
  'lab.ablation': { ...labContract['lab.ablation'], packed: true },
  'lab.signals': { ...labContract['lab.signals'], packed: true },
  'lab.turns': { ...labContract['lab.turns'], packed: true },
  'lab.cell': { ...labContract['lab.cell'], packed: true },
  'labels.get': { ...labContract['labels.get'], in: labContract['labels.get'].in.extend(at) },
  'labels.set': { ...labContract['labels.set'], in: labContract['labels.set'].in.extend(at) },
  'labels.outcome': {
    ...labContract['labels.outcome'],
    in: labContract['labels.outcome'].in.extend(at),
  },
  'labels.export': { ...labContract['labels.export'], packed: true },
} as const satisfies Contract
export type LabWorkerContract = typeof labWorkerContract
