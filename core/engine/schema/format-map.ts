import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { EventKind } from './event-kind.ts'
import { LONGEST_PATH, parsePath } from './map-path.ts'
import { ProblemText } from './library.ts'

const PathText = z
  .string()
  .max(LONGEST_PATH)
  .superRefine((text, context) => {
    const path = parsePath(text)
    if (!path.ok) context.addIssue({ code: 'custom', message: `no path: ${path.error}` })
  })
  .describe('A path: $.turns[*], @.message.text, @^^.id')

/** One path, or several of which the first that finds something counts. */
const Paths = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(PathText).min(1).max(8),
  )
  .describe('A path, or a list of paths of which the first that finds something counts')

/** Targets for a role: the kinds of events, or `skip` for records that are counted and not shown. */
const RoleKind = z.enum([...EventKind.exclude(['step']).options, 'skip'])

const Scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])

const Condition = z.strictObject({
  path: PathText,
  equals: z
    .preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(Scalar).min(1).max(50).optional(),
    )
    .describe('A value, or several; without it the path has to find anything'),
})

/** Mapping of one record, or of one part of a record. */
const EventMap = z
  .strictObject({
    each: PathText.optional().describe(
      'Parts of the record, each of which is @ of the paths beside it; without it the record itself',
    ),
    role: Paths.optional().describe('Who speaks; its values are looked up in roles'),
    kind: RoleKind.optional().describe('The kind where role says nothing'),
    text: Paths.optional().describe('What is said'),
    time: Paths.optional().describe('ISO time, or seconds or milliseconds since 1970'),
    tool: Paths.optional().describe('Name of a tool that is called, or whose result this is'),
    arguments: Paths.optional().describe('What a tool is called with'),
    result: Paths.optional().describe('What a tool answered'),
    error: Paths.optional().describe(
      'Something other than false, null, 0 and "" marks a failed result',
    ),
    call: Paths.optional().describe('Id that joins a call to its result'),
    name: Paths.optional().describe('Name of who speaks'),
    model: Paths.optional().describe('Name of the model'),
  })
  .superRefine(({ text, tool, arguments: args, result, role, kind }, context) => {
    if ([text, tool, args, result].every((each) => each === undefined))
      context.addIssue({
        code: 'custom',
        message: 'an event needs one of text, tool, arguments and result: give the path of one',
      })
    if (text !== undefined && role === undefined && kind === undefined)
      context.addIssue({
        code: 'custom',
        message: 'a text needs role (the path of who speaks) or kind (user, agent, …)',
      })
  })
export type EventMap = Immutable<z.infer<typeof EventMap>>

/** [I140] A user-defined format: the location of its records, and the meaning of their fields. Data only. */
export const FormatMap = z.strictObject({
  label: z.string().min(1).max(80).describe('The name of the format, as people see it'),
  match: z
    .array(Condition)
    .min(1)
    .max(20)
    .optional()
    .describe('What shows this format: all of it holds for one line, item or document'),
  records: PathText.default('$').describe('Where the records are, from the line, item or document'),
  session: Paths.optional().describe('Id of the session that a record belongs to'),
  parent: Paths.optional().describe('Id of the session that started this one, as a sub-agent'),
  title: Paths.optional().describe('Title of the session'),
  roles: z
    .record(z.string().max(200), RoleKind)
    .default({})
    .describe('What the values of role mean: human: user'),
  events: z.array(EventMap).min(1).max(20),
})
export type FormatMap = Immutable<z.infer<typeof FormatMap>>

/** [I142] A mapping's result for the beginning of a file, and the fields it leaves unused. */
export const FormatPreview = z.object({
  /** The error in the mapping, or the reason why it finds nothing. */
  problem: ProblemText.nullable(),
  events: z.array(
    z.object({
      session: z.string(),
      kind: EventKind,
      name: z.string().nullable(),
      at: z.number().nullable(),
      line: z.int(),
      isError: z.boolean(),
      text: z.string(),
      chars: z.int(),
    }),
  ),
  /** Counts for the part that was read. */
  counts: z.object({ records: z.int(), events: z.int(), sessions: z.int() }),
  /** All of the file was read. */
  whole: z.boolean(),
  /** Fields that no path of the mapping takes, with how many records have them and one value. */
  fields: z.array(z.object({ path: z.string(), records: z.int(), example: z.string() })),
  /** Records that became no event. */
  lost: z.array(z.object({ line: z.int(), why: z.string() })),
  lostTotal: z.int(),
  skipped: z.record(z.string(), z.int()),
  /** Values of role that the table does not have. */
  roles: z.array(z.object({ role: z.string(), records: z.int() })),
  /** The format that opens the file by default: this one (`own`), a known one, or none. */
  opens: z.object({ how: z.enum(['own', 'known', 'none']), label: z.string() }),
})
export type FormatPreview = Immutable<z.infer<typeof FormatPreview>>
