import { z } from 'zod'
import { sourceName } from '../../../engine/lab/metrics/basis.ts'
import { counted } from '../../../engine/result.ts'
import { DomainEdit } from '../../../engine/schema/domain-edit.ts'
import { createDraftStore } from '../../../host/drafts/session/draft-store.ts'
import { createSources } from '../../../host/corpus/lab/sources.ts'
import type { Waiting } from '../../../host/corpus/waiting.ts'
import { CommandError } from '../../kit/output.ts'
import type { Desk } from '../desk.ts'
import { writtenText } from '../drafts.ts'
import { flipsBetween, FLIPS } from '../flips.ts'
import { OVER, UNDER, configOf, sideOf } from '../inputs.ts'
import { CURSOR } from '../page.ts'
import { READS, tool } from '../tool.ts'

/** Tune: the effect of an edit before it is saved. */
export const tryEdit = tool({
  name: 'try_edit',
  title: 'Try an edit',
  description:
    'Makes a draft of the domain file with these edits (over `draft`, if given) and shows what it changes against the saved file over sessions and labelled texts: turns that flip, labels that are fixed and broken. `signal` is an id, or a number from 1; a pattern is in Python dialect, without regard to case. The file stays as it is; write_edit writes the draft. Without edits: the flips of that draft again, or more of them with `cursor`.',
  input: z.strictObject({
    edits: z.array(DomainEdit).max(50).default([]),
    ...UNDER,
    ...OVER,
    ...CURSOR,
  }),
  output: z.object({
    draft: z.string().describe('What other tools take as `draft`.'),
    file: z.string(),
    edits: z.int().describe('Edits of the draft in all.'),
    ...FLIPS,
  }),
  hints: { ...READS, idempotentHint: false },
  run: async (desk, { edits, paths, labels, cursor, ...under }, waiting) => {
    if (edits.length === 0 && under.draft === undefined)
      throw new CommandError({
        what: 'there is no edit',
        where: 'try_edit',
        do: 'Give `edits`, for example those of propose_signals, or a `draft`',
      })
    const config = configOf(desk, under)
    const from = under.draft === undefined ? config : desk.drafts.get(under.draft)
    const draft = 'id' in from && edits.length === 0 ? from : await desk.drafts.begin(from, edits)
    const base = await desk.resolve({ kind: 'config', config })
    const side = await desk.resolve(sideOf(desk, { ...under, domains: undefined, draft: draft.id }))
    const corpus = await desk.corpora.open({ paths, labels }, base, waiting)
    const { read } = corpus
    const { of } = createSources(read)
    desk.drafts.sawLabels(
      draft.id,
      new Set([...read.labels.keys()].map((turn) => sourceName(of(turn)))),
      { paths, labels },
    )
    const found = await flipsBetween({ corpus, base, side, places: desk.places, cursor, waiting })
    const { id, file } = draft
    const head = `draft ${id} of ${file.shown}, ${counted(draft.edits.length, 'edit')}`
    const value = { draft: id, file: file.shown, edits: draft.edits.length, ...found.value }
    return { value, text: `${head}\n${found.text}` }
  },
})

/** [F161] The one tool that changes anything. */
export const writeEdit = tool({
  name: 'write_edit',
  title: 'Write an edit',
  description:
    'Writes a draft of try_edit into the domain file of the workspace (a copy there where the file ships). Refused without the right to write, and where the file was changed since the draft was made. Try the edit first, and write nothing that breaks labels unless the person wants it.',
  input: z.strictObject({ draft: z.string().max(20) }),
  output: z.object({
    file: z.string(),
    changedLines: z.int(),
    labels: z
      .object({ fixed: z.number(), broken: z.number(), brokenTurns: z.array(z.string()) })
      .nullable()
      .describe('What it does to labelled turns that it was tried over; null: there are none.'),
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async (desk, { draft: id }, waiting) => {
    if (!desk.mayWrite)
      throw new CommandError({
        what: 'this server may not write',
        where: 'write_edit',
        do: 'Show the person the edits and their flips; to have them written, the server is started with --allow-write: turnscope mcp --allow-write',
      })
    const draft = desk.drafts.get(id)
    const { file, fingerprint } = draft
    const text = writtenText(draft)
    const [problem] = desk.sides.read(text).problems
    if (problem !== undefined)
      // [T46] A broken domain file would stop every replay.
      throw new CommandError({
        what: problem.what,
        where: `${file.shown}:${problem.line}:${problem.column}`,
        do: problem.do,
      })
    const labels = await effectOnLabels(desk, id, waiting)
    const store = createDraftStore(desk.workspace, () => Date.now())
    const saved = await store.save(file, text, fingerprint)
    const shown = desk.places.shown(saved.file)
    const value = { file: shown, changedLines: saved.changedLines, labels }
    const head = `${shown} is written, ${counted(saved.changedLines, 'line')} changed`
    return { value, text: [head, ...labelLines(labels)].join('\n') }
  },
})

interface LabelEffect {
  readonly fixed: number
  readonly broken: number
  /** The first broken turns, as other tools name them. */
  readonly brokenTurns: string[]
}

/** Compares the draft with the saved file over the labelled turns that it was tried over; null without labels. */
async function effectOnLabels(
  desk: Desk,
  id: string,
  waiting: Waiting,
): Promise<LabelEffect | null> {
  const { config, over } = desk.drafts.get(id)
  const base = await desk.resolve({ kind: 'config', config })
  const side = await desk.resolve(sideOf(desk, { draft: id }))
  const { paths, labels } = over ?? {}
  try {
    const corpus = await desk.corpora.open({ paths, labels }, base, waiting)
    if (corpus.read.labels.size === 0) return null
    const { places } = desk
    const { value } = await flipsBetween({ corpus, base, side, places, cursor: undefined, waiting })
    const { fixed, broken, rows } = value
    const brokenTurns = rows.filter(({ label }) => label === 'broken').map(({ turn }) => turn)
    return { fixed, broken, brokenTurns: brokenTurns.slice(0, 10) }
  } catch (error) {
    // A draft that was never tried, in a workspace without sessions.
    if (error instanceof CommandError) return null
    throw error
  }
}

function labelLines(effect: LabelEffect | null): readonly string[] {
  if (effect === null) return ['no labelled turns to compare it with']
  const { fixed, broken, brokenTurns } = effect
  const line = `labelled turns: ${fixed} become right, ${broken} become wrong`
  return broken === 0 ? [line] : [line, ...brokenTurns.map((turn) => `  wrong now: ${turn}`)]
}
