import { z } from 'zod'
import { counted } from '../../../engine/result.ts'
import { CommandError } from '../../kit/output.ts'
import type { Desk } from '../desk.ts'
import { UNDER, sideOf } from '../inputs.ts'
import { CURSOR, NEXT, clipped, pageFrom } from '../page.ts'
import { READS, tool } from '../tool.ts'

const DomainRow = z.object({
  domain: z.string(),
  priority: z.int().describe('Of equal scores the smaller wins.'),
  minSignals: z.int().nullable(),
  signals: z.int(),
  about: z.string(),
})
const SignalRow = z.object({
  signal: z.string().describe('Id, or its number from 1.'),
  pattern: z.string(),
  weight: z.number(),
  note: z.string().nullable(),
})
type DomainRow = z.infer<typeof DomainRow>
type SignalRow = z.infer<typeof SignalRow>

/** Lists the domains to edit, and the files to classify with. */
export const listDomains = tool({
  name: 'list_domains',
  title: 'List domains and signals',
  description:
    'Lists the domains of a domain file with priority and number of signals; with `domain`, the signals of that one with their patterns. Also names the domain files, presets and profiles that there are.',
  input: z.strictObject({ domain: z.string().max(200).optional(), ...UNDER, ...CURSOR }),
  output: z.object({
    file: z.string(),
    presets: z.array(z.string()),
    domainFiles: z.array(z.string()),
    profiles: z.array(z.string()),
    domains: z.array(DomainRow),
    signals: z.array(SignalRow),
    ...NEXT,
  }),
  hints: READS,
  run: async (desk, { domain, cursor, ...under }) => {
    const side = await desk.resolve(sideOf(desk, under))
    const { domains } = side.compiled.pipeline.belief.set
    const file = side.files.domains.file.shown
    const end = (next: string | null) => (next === null ? [] : [`more: cursor "${next}"`])
    if (domain === undefined) {
      const rows = domains.map((one): DomainRow => ({
        domain: one.name,
        priority: one.priority,
        minSignals: one.minSignals ?? null,
        signals: one.signals.length,
        about: clipped(one.briefDescription ?? '', 100),
      }))
      const { shown, lines, next } = pageFrom(rows, cursor, domainLine, 3600)
      const value = { file, ...(await namesOf(desk)), domains: [...shown], signals: [], next }
      return {
        value,
        text: [`${file}: ${counted(domains.length, 'domain')}`, ...lines, ...end(next)].join('\n'),
      }
    }
    const found = domains.find(({ name }) => name === domain)
    if (found === undefined)
      throw new CommandError({
        what: `there is no domain "${domain}"`,
        where: file,
        do: `It has ${domains.map(({ name }) => name).join(', ')}`,
      })
    const rows = found.signals.map(({ id, pattern, weight, note }, index): SignalRow => ({
      signal: id ?? String(index + 1),
      pattern: clipped(pattern, 1000),
      weight,
      note: note === null ? null : clipped(note, 100),
    }))
    // Patterns are not said twice: the text has the names.
    const { shown, next } = pageFrom(rows, cursor, ({ signal }) => signal)
    const names = shown.map(({ signal }) => signal).join(', ')
    const value = {
      file,
      presets: [],
      domainFiles: [],
      profiles: [],
      domains: [],
      signals: [...shown],
      next,
    }
    return {
      value,
      text: [`${domain}: ${counted(rows.length, 'signal')}`, names, ...end(next)].join('\n'),
    }
  },
})

const domainLine = ({ domain, priority, signals, about }: DomainRow) =>
  `${domain}  priority ${priority}, ${counted(signals, 'signal')}  ${about}`

/** Names of one kind that an answer has room for. */
const MOST_NAMES = 15

async function namesOf({ workspace }: Desk) {
  const names = async (kind: 'presets' | 'domains' | 'models') =>
    (await workspace.list(kind)).slice(0, MOST_NAMES).map(({ name }) => name)
  return {
    presets: await names('presets'),
    domainFiles: await names('domains'),
    profiles: await names('models'),
  }
}
