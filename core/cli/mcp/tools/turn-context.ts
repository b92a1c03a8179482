import { z } from 'zod'
import { turnsOf } from '../../../engine/turns.ts'
import {
  callRows,
  isOfTurn,
  partRows,
  type CallRow,
  type PartRow,
} from '../../../host/context/call-rows.ts'
import { profileOf, readContext } from '../../../host/context/read-context.ts'
import { CommandError } from '../../kit/output.ts'
import { withTurn } from '../handle.ts'
import { TURN, UNDER, configOf, sideOf } from '../inputs.ts'
import { clipped, CURSOR, NEXT, pageFrom } from '../page.ts'
import { READS, tool } from '../tool.ts'

/**
 * The names of `context --json`. The schema lists those that an agent reads first, because every listed tool takes
 * room in its context.
 */
const Part = z.looseObject({
  label: z.string(),
  tokens: z.number(),
  added: z.boolean().describe('Not in the context of the call before.'),
})
const TurnContext = z.looseObject({
  calls: z.array(z.number()).describe('Numbers of the model calls that answer the turn.'),
  call: z.number(),
  isRecorded: z.boolean().describe('False: all figures are estimates.'),
  tokens: z.number().nullable().describe('Recorded.'),
  window: z.number().nullable(),
  parts: z.array(Part).describe('Largest first.'),
  ...NEXT,
})

/** Calls that an answer lists. */
const MOST_CALLS = 100
const LONGEST = 160

function shortened(part: PartRow) {
  const { source } = part
  return {
    ...part,
    label: clipped(part.label, LONGEST),
    source: source && {
      ...source,
      name: source.name && clipped(source.name, LONGEST),
      path: source.path && clipped(source.path, LONGEST),
      globs: source.globs?.slice(0, 5).map((glob) => clipped(glob, 80)) ?? null,
    },
  }
}

/** [X18] `turnscope context FILE --turn N --json`. */
export const turnContext = tool({
  name: 'turn_context',
  title: 'Context of a turn',
  description:
    'Says what was in the context of the model call that answers a turn: recorded tokens, cache, window, what was cut, and each part (rule files, skills, hooks, results, messages) with its size, source and the tool call that brought it in.',
  input: z.strictObject({
    turn: TURN,
    call: z.int().min(1).optional().describe('One of `calls`; left out: the first.'),
    preset: UNDER.preset,
    profile: UNDER.profile,
    ...CURSOR,
  }),
  output: TurnContext,
  hints: READS,
  run: async (desk, { turn, call: wanted, cursor, ...under }, waiting) => {
    const side = await desk.resolve(sideOf(desk, under))
    const profile = await profileOf(desk.workspace, configOf(desk, under).profile)
    return withTurn(
      desk,
      { turn },
      { side, waiting },
      async ({ session, transcript, ...found }) => {
        const reading = await readContext(session, transcript, profile)
        const turns = turnsOf(session.events, side.compiled.classify).map(({ seq }) => seq)
        const all = [...callRows({ turns, prices: null }, reading)].filter(({ call }) =>
          isOfTurn(call, found.turn + 1, turns, reading),
        )
        const calls = all.map(({ row }) => row.call)
        const one = wanted === undefined ? all[0] : all.find(({ row }) => row.call === wanted)
        if (one === undefined) throw noCall(turn, wanted, calls)
        const { row } = one
        const parts = partRows(one.call, session, reading).map(shortened)
        const page = pageFrom(parts, cursor, lineOf)
        const { call, event, model, tokens, recorded, window, cut } = row
        const value = {
          turn,
          isRecorded: reading.context.calls.some((each) => each.recorded !== null),
          tokenizer: reading.tokenizer,
          calls: calls.slice(0, MOST_CALLS),
          call,
          event,
          model,
          tokens,
          recorded,
          window,
          cut,
          parts: [...page.shown],
          next: page.next,
        }
        return { value, text: [headLine(value), ...page.lines].join('\n') }
      },
    )
  },
})

function noCall(turn: string, wanted: number | undefined, calls: readonly number[]): CommandError {
  if (calls.length === 0)
    return new CommandError({
      what: 'no call of a model answers this turn',
      where: turn,
      do: 'Name an earlier turn',
    })
  const advice = `It has calls ${calls.slice(0, MOST_CALLS).join(', ')}`
  return new CommandError({ what: `call ${wanted} is not of this turn`, where: turn, do: advice })
}

interface Head extends Pick<CallRow, 'call' | 'tokens' | 'window' | 'cut'> {
  readonly turn: string
  readonly calls: readonly number[]
  readonly parts: readonly PartRow[]
}

function headLine(value: Head): string {
  const { turn, call, tokens, window, cut, calls, parts } = value
  const size = tokens ?? parts.reduce((sum, part) => sum + part.tokens, 0)
  const about = tokens === null ? 'about ' : ''
  const of = window === null ? '' : ` of ${window}`
  const others = calls.length > 1 ? `; the turn has calls ${calls.join(', ')}` : ''
  const left = cut === null ? '' : `; ${cut.reason} before it, ${cut.events} events left`
  return `${turn}, call ${call}: ${about}${size} tokens${of}${left}${others}`
}

function lineOf({ tokens, label, added }: PartRow): string {
  return `${added ? '+' : ' '} ${tokens} ${label}`
}
