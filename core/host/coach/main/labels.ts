import { readdir } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { CoachLabel } from '../../../engine/schema/coach-wire.ts'
import { saveText } from '../../platform/files/atomic-file.ts'
import { saveAlone } from '../../platform/files/file-lock.ts'
import { refuseOutwardLink } from '../../platform/files/outward-link.ts'
import { jsonAs } from '../../platform/json.ts'
import { safeFileName } from '../../platform/names.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'
import { LONG_TEXT_BYTES, textIfThere } from '../../platform/files/regular-file.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { ok } from '../../../engine/result.ts'

/** A label with the output that it is about, so that the lab needs no session. */
const StoredLabel = z.looseObject({
  session: z.string(),
  seq: z.int().min(0),
  content: z.string(),
  ...CoachLabel.shape,
  text: z.string(),
  plan: z.string().nullable(),
  skill: z.string().nullable(),
  /** Of the plan's file, as it was read (V61). */
  criteria: z.array(z.string()).readonly().optional(),
  /** [V78] The user message before it; older labels have none. */
  asked: z.string().nullable().optional(),
})
export type StoredLabel = Readonly<z.infer<typeof StoredLabel>>

/** An output in the file of labels of one transcript. */
type LabelPlace = Pick<StoredLabel, 'session' | 'seq' | 'content'>

/** [V21] Labels that people gave outputs: `labels/<name>.coach.jsonl` of the workspace. */
export interface CoachLabels {
  of(name: string): Promise<readonly StoredLabel[]>
  /** Of every transcript, with the name that its file of labels bears. */
  all(): Promise<ReadonlyArray<StoredLabel & { readonly transcript: string }>>
  set(name: string, label: StoredLabel): Promise<void>
  remove(name: string, place: LabelPlace): Promise<void>
}

const ENDING = '.coach.jsonl'
/** A line that is no label is kept as it is when the file is written again. */
type Line = { readonly label: StoredLabel } | { readonly other: string }

export function openCoachLabels(workspace: string): CoachLabels {
  const folder = join(workspace, 'labels')
  const pathOf = (name: string) => join(folder, `${safeFileName(name)}${ENDING}`)
  const inTurn = createQueue()

  const change = (name: string, edit: (lines: readonly Line[]) => readonly Line[]) =>
    inTurn(async () => {
      refuseOutwardLink(workspace, pathOf(name))
      await saveAlone(pathOf(name), 'Make the folder writable', async () => {
        const lines = edit(await readLines(pathOf(name)))
        const text = lines.map((line) =>
          'label' in line ? JSON.stringify(line.label) : line.other,
        )
        await saveText(pathOf(name), text.map((line) => `${line}\n`).join(''))
      })
    })

  return {
    of: async (name) => labelsIn(await readLines(pathOf(name))),
    all: async () => {
      const names = await readdir(folder).catch(() => [])
      const files = names.filter((name) => name.endsWith(ENDING)).toSorted()
      const read = await Promise.all(
        files.map(async (name) => {
          const transcript = name.slice(0, -ENDING.length)
          const labels = labelsIn(await readLines(join(folder, name)))
          return labels.map((label) => ({ ...label, transcript }))
        }),
      )
      return read.flat()
    },
    set: (name, label) =>
      change(name, (lines) => [...lines.filter((line) => !isAt(line, label)), { label }]),
    remove: (name, place) => change(name, (lines) => lines.filter((line) => !isAt(line, place))),
  }
}

function labelsIn(lines: readonly Line[]): readonly StoredLabel[] {
  return lines.flatMap((line) => ('label' in line ? [line.label] : []))
}

function isAt(line: Line, { session, seq, content }: LabelPlace): boolean {
  if (!('label' in line)) return false
  const { label } = line
  return label.session === session && label.seq === seq && label.content === content
}

async function readLines(path: string): Promise<readonly Line[]> {
  const text = (await textIfThere(path, path, LONG_TEXT_BYTES)) ?? ok('')
  return valueOrRefuse(text)
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .filter((line) => line !== '')
    .map((line): Line => {
      const label = jsonAs(StoredLabel, line)
      return label === null ? { other: line } : { label }
    })
}
