import { z } from 'zod'
import { call, stream } from './method.ts'
import { nothing, OpenSource } from './shapes.ts'
import { FormatPreview } from '../engine/schema/format-map.ts'
import { ProblemText } from '../engine/schema/library.ts'

/** A mapping's name: that of its file, without the extension. */
const FormatName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,79}$/u, 'a name has letters, digits, blanks, - _ . only')
const text = z.string().max(200_000)

const MapFile = z.object({
  name: z.string(),
  /** As people know it: `profiles/formats/ours.yaml`. */
  file: z.string(),
  label: z.string().nullable(),
  problem: ProblemText.nullable(),
})

/** [U185] Mapping files of the workspace, and their result for a file. */
export const formatsContract = {
  'formats.list': call('workspace', nothing, { files: z.array(MapFile) }),
  /** Emits the text of a mapping file immediately, and again after every change; null while the file does not exist. */
  'formats.watch': stream(
    'workspace',
    { name: z.string().max(200) },
    { file: z.string(), text: z.string().nullable(), fingerprint: z.string().nullable() },
  ),
  /** Refused if the text is no mapping, or if the file does not have this fingerprint (null: it must not exist). */
  'formats.save': call(
    'workspace',
    { name: FormatName, text, fingerprint: z.string().nullable() },
    { file: z.string(), fingerprint: z.string() },
  ),
  /** A mapping to begin with for a file, and which format opens the file already, if any does. */
  'formats.start': call(
    'main',
    { source: OpenSource },
    { text: z.string(), known: z.string().nullable(), problem: ProblemText.nullable() },
  ),
  'formats.preview': call(
    'main',
    { source: OpenSource, name: z.string().max(200), text },
    FormatPreview,
  ),
} as const
