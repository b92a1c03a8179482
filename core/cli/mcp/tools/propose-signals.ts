import { z } from 'zod'
import { createCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { proposeSignals } from '../../../engine/lab/propose/propose.ts'
import {
  type Repair,
  type RepairEvidence,
  proposeRepairs,
} from '../../../engine/lab/propose/repair.ts'
import { addition } from '../../../engine/lab/propose/repair-candidates.ts'
import { proposalNote } from '../../../engine/lab/propose/words.ts'
import { counted } from '../../../engine/result.ts'
import { createCorpusWork } from '../../../host/corpus/lab/corpus-work.ts'
import { createSources } from '../../../host/corpus/lab/sources.ts'
import type { Waiting } from '../../../host/corpus/waiting.ts'
import type { ResolvedSide } from '../../../host/drafts/sides.ts'
import { CommandError } from '../../kit/output.ts'
import type { Desk } from '../desk.ts'
import { textOfTurn, withTurn } from '../handle.ts'
import { OVER, TURN, UNDER, sideOf } from '../inputs.ts'
import { CURSOR, NEXT, pageFrom } from '../page.ts'
import { READS, tool } from '../tool.ts'

const Example = z.strictObject({
  turn: TURN.optional(),
  text: z.string().max(20_000).optional().describe('Instead of a turn.'),
})
type Example = z.infer<typeof Example>

const Proposal = z.object({
  edits: z
    .array(z.looseObject({ kind: z.string(), domain: z.string() }))
    .describe('As try_edit takes them.'),
  right: z.int().nullable().describe('Of should_match: texts that it makes the domain’s.'),
  fixed: z.int().nullable().describe('Labelled turns that become right.'),
  broken: z.int().nullable().describe('Labelled turns that become wrong.'),
  flips: z.int().nullable().describe('Turns whose primary changes.'),
  note: z.string().nullable(),
})
type Proposal = z.infer<typeof Proposal>

const Input = z.strictObject({
  domain: z.string().min(1).max(200).optional().describe('Domain that the texts should have had.'),
  should_match: z.array(Example).max(20).default([]),
  should_not_match: z.array(Example).max(50).default([]),
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('Measure this pattern as a new signal instead.'),
  ...OVER,
  ...UNDER,
  ...CURSOR,
})
type Asked = z.output<typeof Input>

/** `turnscope propose`: signals suggested by labels, or signals that would fix given turns. */
export const proposeTool = tool({
  name: 'propose_signals',
  title: 'Propose signals',
  description:
    'Proposes edits of the domain file, each measured over sessions and labels; nothing is changed. With domain and should_match: new signals, and other small edits, that make these turns or texts the domain’s and none of should_not_match. With domain and pattern: what that pattern would do. With neither: signals that many labels ask for, measured on sources that they were not made from.',
  input: Input,
  output: z.object({
    tried: z.int(),
    proposals: z
      .array(Proposal)
      .describe('Best first: breaks least, then mends most, then flips least.'),
    note: z.string().nullable().describe('Why there is none.'),
    ...NEXT,
  }),
  hints: READS,
  run: async (desk, asked, waiting) => {
    const side = await desk.resolve(sideOf(desk, asked))
    if (side.compiled.pipeline.belief.rules.allTogether) throw new CommandError(SKILLS)
    const isByExample = asked.pattern !== undefined || asked.should_match.length > 0
    const found = isByExample
      ? await byExamples(desk, asked, { side, waiting })
      : await byLabels(desk, asked, { side, waiting })
    const page = pageFrom(found.proposals, asked.cursor, lineOf, 3000)
    const head = `${counted(found.proposals.length, 'proposal')} of ${counted(found.tried, 'candidate')}`
    const note = found.note === null ? [] : [found.note]
    const more = page.next === null ? [] : [`more: cursor "${page.next}"`]
    return {
      value: { tried: found.tried, note: found.note, proposals: [...page.shown], next: page.next },
      text: [head, ...note, ...page.lines, ...more].join('\n'),
    }
  },
})

const SKILLS = {
  what: 'skills fire by themselves, so no signal is proposed for one',
  where: 'propose_signals',
  do: 'Try an edit with try_edit',
}

function lineOf({ edits, right, fixed, broken, flips, note }: Proposal): string {
  const words = edits.map((edit) => {
    const { kind, domain, ...rest } = edit
    return `${kind} ${domain} ${JSON.stringify(Object.values(rest))}`
  })
  const figures = [
    ...(right === null ? [] : [`${right} right`]),
    ...(fixed === null ? [] : [`${fixed} fixed, ${broken ?? 0} broken`]),
    ...(flips === null ? [] : [`${flips} flips`]),
  ]
  return `${words.join(' and ')}: ${figures.join(', ')}${note === null ? '' : `; ${note}`}`
}

interface Ways {
  readonly side: ResolvedSide
  readonly waiting: Waiting
}

interface Found {
  readonly tried: number
  readonly note: string | null
  readonly proposals: readonly Proposal[]
}

/** Sessions and labels to measure on. Null if none are named and the workspace has none. */
async function evidenceOf(
  desk: Desk,
  { paths, labels }: Pick<Asked, 'paths' | 'labels'>,
  { side, waiting }: Ways,
): Promise<RepairEvidence | null> {
  const isNamed = (paths ?? []).length + (labels ?? []).length > 0
  if (!isNamed && !(await desk.corpora.hasOwnLabels())) return null
  const { read, work } = await desk.corpora.open({ paths, labels }, side, waiting)
  const scored = await work.score(side.compiled.pipeline, waiting)
  return { scored, labels: read.labels, rescore: work.rescore }
}

async function textsOf(desk: Desk, examples: readonly Example[], ways: Ways) {
  const texts: string[] = []
  for (const example of examples)
    texts.push(
      await withTurn(desk, example, ways, (found) => Promise.resolve(textOfTurn(found, ways.side))),
    )
  return texts
}

async function byExamples(desk: Desk, asked: Asked, ways: Ways): Promise<Found> {
  const { domain, pattern } = asked
  const { side, waiting } = ways
  const { domains } = side.compiled.pipeline.belief.set
  if (domain === undefined || !domains.some(({ name }) => name === domain))
    throw new CommandError({
      what:
        domain === undefined ? 'it is not said which domain is meant' : 'there is no such domain',
      where: `domain "${domain ?? ''}"`,
      do: `Name one of ${domains.map(({ name }) => name).join(', ')}`,
    })
  const wanted = await textsOf(desk, asked.should_match, ways)
  const unwanted = await textsOf(desk, asked.should_not_match, ways)
  const sessions = [...wanted, ...unwanted].map((text, at) => ({
    id: String(at),
    turns: [{ seq: 0, kind: 'user' as const, text }],
  }))
  const work = createCorpusWork({ corpus: createCorpus(sessions) }, desk.limit)
  const scored = await work.score(side.compiled.pipeline, waiting)
  const evidence = await evidenceOf(desk, asked, ways)
  const examples = {
    scored,
    domain,
    wanted: wanted.map((_, at) => at),
    unwanted: unwanted.map((_, at) => wanted.length + at),
  }
  const only = pattern === undefined ? null : patternOf(addition(examples, [pattern]), pattern)
  const question = proposeRepairs(examples, { rescore: work.rescore, evidence }, only)
  const { tried, repairs, rightBefore } = await work.run(question, waiting)
  const isRight = wanted.length > 0 && rightBefore === wanted.length
  return { tried, proposals: repairs.map(proposalOf), note: noteOf(repairs, isRight) }
}

function patternOf(candidate: ReturnType<typeof addition>, pattern: string) {
  if (candidate !== null) return [candidate]
  const advice = 'Write it in Python dialect; look at patterns of list_domains'
  throw new CommandError({ what: 'the pattern cannot be read', where: pattern, do: advice })
}

function noteOf(repairs: readonly Repair[], isRight: boolean): string | null {
  if (repairs.length > 0) return null
  return isRight
    ? 'all of these texts are the domain’s already, each by itself; momentum may hold another: explain_turn says so'
    : 'no small edit makes more of these texts the domain’s: look at explain_turn, then try a pattern of your own'
}

const proposalOf = ({ edits, right, fixed, broken, flips, spoilt }: Repair): Proposal => ({
  edits: [...edits],
  right,
  fixed,
  broken,
  flips,
  note: spoilt > 0 ? `${counted(spoilt, 'text')} of should_not_match become the domain’s` : null,
})

/** [L90] */
async function byLabels(desk: Desk, asked: Asked, { side, waiting }: Ways): Promise<Found> {
  const { read, work } = await desk.corpora.open(asked, side, waiting)
  const scored = await work.score(side.compiled.pipeline, waiting)
  const { labels } = read
  const question = proposeSignals(
    {
      scored,
      labels,
      sourceOf: createSources(read).of,
      domain: asked.domain ?? null,
      most: 20,
      adviser: null,
    },
    work.rescore,
  )
  const { proposals, tried, note } = await work.run(question, waiting)
  return {
    tried,
    note,
    proposals: proposals.map((one) => ({
      edits: [{ kind: 'add', domain: one.domain, pattern: one.pattern }],
      right: null,
      fixed: one.fixes,
      broken: one.breaks,
      flips: one.flips,
      note: proposalNote(one),
    })),
  }
}
