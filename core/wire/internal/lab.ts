import { z } from 'zod'
import { labContract } from '../lab.ts'
import { queueContract, queueQuestion } from '../queue.ts'
import { call, stream } from '../method.ts'
import { Key, nothing } from '../shapes.ts'
import { Side } from '../../engine/schema/lab.ts'
import { Column, ReplayConfig } from '../../engine/schema/replay.ts'
import { LocatedFile, PersonMessage } from './session.ts'

/** A transcript that a corpus is made of, with the key that it is opened under, or null. */
const LabFile = LocatedFile.extend({ key: Key.nullable() })
export type LabFile = Readonly<z.infer<typeof LabFile>>

/** Unit vectors as threads hand them over, one behind the other. */
export const Vectors = z.object({ dimensions: z.int().min(0), values: Column })

/** Calls from the main process to the lab thread. */
export const labRows = {
  'lab.open': stream(
    'lab',
    {
      corpus: Key,
      files: z.array(LabFile),
      folders: z.array(z.string()),
      samples: z.boolean(),
      config: ReplayConfig,
    },
    labContract['lab.open'].out,
  ),
  'lab.close': { ...labContract['lab.close'], at: 'lab' },
  /** [D71] User messages in the sessions of a corpus, one session at a time. */
  'lab.messages': stream(
    'lab',
    { corpus: Key },
    z.object({ name: z.string(), sessions: z.int(), messages: z.array(PersonMessage) }),
  ),
  /** Labels of an opened file have changed: those of the corpus are read again. */
  'lab.relabel': call('lab', { corpus: Key, key: Key }, {}),
  /** [L80] Turns that a second opinion still lacks, with their texts. */
  'queue.texts': call(
    'lab',
    { corpus: Key, side: Side },
    { turns: Column, texts: z.array(z.string()) },
  ),
  /** Their vectors, which the corpus keeps. */
  'queue.vectors': call('lab', { corpus: Key, turns: Column, ...Vectors.shape }, nothing),
  /** Answered once the vectors are there; `note` says why some are not. */
  'queue.turns': stream(
    'lab',
    { ...queueQuestion, note: z.string().nullable() },
    queueContract['queue.turns'].out,
  ),
  'queue.weights': { ...queueContract['queue.weights'], at: 'lab' },
  'queue.propose': { ...queueContract['queue.propose'], at: 'lab' },
} as const
