import { editWords } from '../../engine/skills/edit-words.ts'
import { NEVER_STRONG } from '../../engine/schema/never-strong.ts'
import { counted } from '../../engine/result.ts'
import type { DomainTrace, Part, QuotedKind, TurnTrace } from '../../engine/schema/trace.ts'
import { ambiguousWords } from '../../engine/schema/ambiguous-words.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { openReplayer, ownFormats, readFile } from '../replay/replayer.ts'
import { numberedFromOne } from '../../host/platform/numbering.ts'
import { command } from '../kit/command.ts'
import { CONFIG, flag, parseCount, parsed } from '../kit/options.ts'
import { CommandError, print } from '../kit/output.ts'
import { LINKS, openLinker } from '../kit/links.ts'
import { firstWords } from '../kit/table.ts'

/** `explain FILE#TURN`: the whole reason of one turn. */
export const explain = command({
  name: 'explain',
  summary: 'say why a turn was classified as it was: signals, momentum rule, enrichment',
  args: [['<file#turn>', 'transcript and turn, numbered from 1 as the screen shows it']],
  options: {
    session: parsed('--session <n>', 'which session of the file, from 1', parseCount, 1),
    patterns: flag('--patterns', 'print the pattern of each signal that matched'),
    ...LINKS,
    ...CONFIG,
  },
  run: async (options, target) => {
    const { file, turn } = parseTarget(target)
    const replayer = await openReplayer(options)
    const { transcript } = await readFile(file, ownFormats(options))
    const { session: number, json } = options
    const session = transcript.sessions[number - 1]
    const count = transcript.sessions.length
    if (!session) {
      throw new CommandError({
        what: `there is no session ${number}`,
        where: file,
        do: count === 1 ? 'It has one session' : `It has sessions 1 to ${count}`,
      })
    }
    const replay = await replayer.replay(session)
    const { turns: last } = replay.columns
    if (turn > last) {
      throw new CommandError({
        what: `there is no turn ${turn}`,
        where: file,
        do:
          last === 0 ? 'Nothing in it is classified; see --classify' : `It has turns 1 to ${last}`,
      })
    }
    const trace = replayer.trace(replay, turn - 1)
    const link = await openLinker(options)
    const title = link({ file, session: number - 1, event: trace.seq }, `Turn ${turn}`)
    await print(
      json === true
        ? `${jsonLine(numberedFromOne({ file, session: session.id, ...trace }))}\n`
        : explainTurn(trace, title, options.patterns === true),
    )
  },
})

/** The last `#` parts file and turn: file names may contain others. */
function parseTarget(target: string): { readonly file: string; readonly turn: number } {
  const match = /^(?<file>.+)#(?<turn>\d{1,9})$/su.exec(target)
  const file = match?.groups?.['file']
  const turn = Number(match?.groups?.['turn'] ?? 0)
  if (file !== undefined && turn >= 1) return { file, turn }
  throw new CommandError({
    what: 'no turn is named',
    where: target,
    do: 'Write FILE#TURN, for example session.jsonl#14; turns count from 1',
  })
}

/** A turn's whole reason as text. The first line is the decision and the rule that made it. */
function explainTurn(trace: TurnTrace, title: string, showsPatterns: boolean): string {
  const sections = [
    heading(trace, title),
    seen(trace, showsPatterns),
    decided(trace),
    momentum(trace),
    enrichment(trace),
    edits(trace),
    whyNot(trace),
    warnings(trace),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function heading(trace: TurnTrace, title: string): string {
  const { input, kind, seq } = trace
  const cuts = [
    input.cutChars > 0 ? `${input.cutChars} cut from the middle` : '',
    input.thinkingChars > 0 ? `${input.thinkingChars} of thinking taken out` : '',
    input.ansiChars > 0 ? `${input.ansiChars} of terminal codes taken out` : '',
    input.quotedChars > 0
      ? `${input.quotedChars} quoted and not scored (${quotedWords(trace)})`
      : '',
  ].filter((text) => text !== '')
  const size = [`${input.chars} characters`, ...cuts].join(', ')
  const { primary, secondary, momentum: why } = trace
  const decision = [primary.domain, ...(secondary === null ? [] : [secondary.domain])].join(' + ')
  return [
    `${title}: ${decision}, by rule ${why.rule}: ${why.reason}`,
    `  event ${seq + 1}, ${kind}, ${size}`,
    `  ${firstWords(trace.text, 160)}`,
  ].join('\n')
}

/** [B26] Quoted stretches by kind, with their numbers. */
function quotedWords({ input: { quoted } }: TurnTrace): string {
  const kinds = new Map<QuotedKind, number>()
  for (const { why } of quoted) kinds.set(why, (kinds.get(why) ?? 0) + 1)
  return [...kinds].map(([why, number]) => counted(number, QUOTED_WORDS[why])).join(', ')
}

const QUOTED_WORDS: Readonly<Record<QuotedKind, string>> = {
  quotation: 'quotation',
  fence: 'fenced block',
  log: 'pasted log',
  notice: 'notice of the client',
}

function part({ domain, confidence }: Part): string {
  return `${domain} (${signals(confidence)})`
}

const signals = (count: number) => counted(count, 'signal')
const turns = (count: number) => counted(count, 'turn')

function seen(trace: TurnTrace, showsPatterns: boolean): string {
  const matched = trace.domains.filter((domain) => domain.matched > 0)
  if (matched.length === 0) return 'Seen\n  no signal of any domain matched'
  const ranked = matched.toSorted((a, b) => (a.rank ?? 99) - (b.rank ?? 99))
  return [
    'Seen',
    ...ranked.flatMap((domain) => domainLines(domain, trace.text, showsPatterns)),
  ].join('\n')
}

const EXCLUDED = {
  default_yields: 'left out: the default domain yields to any other match',
  min_signals: 'cannot be primary: fewer signals than it needs for that',
  min_score: 'does not fire: its score is below the least one (K15)',
  excluded: 'does not fire: a pattern that excludes it matched (K15)',
} as const

function domainLines(domain: DomainTrace, text: string, showsPatterns: boolean): string[] {
  const place = domain.rank === null ? '' : `${domain.rank}. `
  const excluded = domain.excluded === null ? '' : `, ${EXCLUDED[domain.excluded]}`
  const factors = domain.factors.map((f) => `, times ${f.factor} by anti-signal /${f.pattern}/`)
  const score = domain.score === domain.matched ? '' : `, score ${domain.score}`
  const head = `  ${place}${domain.domain}: ${signals(domain.matched)}${score}${factors.join('')}${excluded}`
  const fired = domain.signals.filter((signal) => signal.fired)
  return [
    head,
    ...fired.map((signal) => {
      const quotes = signal.spans.slice(0, 3).map(([start, end]) => {
        return `"${firstWords(text.slice(start, end), 60)}" at ${start}`
      })
      const more = signal.count > quotes.length ? `, ${signal.count} in all` : ''
      const pattern = showsPatterns ? ` /${signal.pattern}/` : ''
      return `     ${signal.id ?? `#${signal.index}`}${pattern} matched ${quotes.join(', ')}${more}`
    }),
  ]
}

function decided({ scored }: TurnTrace): string {
  const second = scored.secondary === null ? 'no secondary' : part(scored.secondary)
  const lines = [`  primary ${part(scored.primary)}, ${second}; signature ${scored.signature}`]
  if (scored.margin !== null) lines.push(`  margin ${scored.margin}`)
  if (scored.tieBreak !== null) {
    const { between, winner, by } = scored.tieBreak
    lines.push(`  tie between ${between.join(' and ')}: ${winner} wins by ${by}`)
  }
  if (scored.ambiguous !== null) {
    const { between, lead, margin } = scored.ambiguous
    lines.push(`  ${ambiguousWords(between)}; lead ${lead}, margin ${margin} (B20)`)
  }
  return ['Scored (before momentum)', ...lines].join('\n')
}

function momentum(trace: TurnTrace): string {
  const { event, rule, reason, threshold, before, after, resisted, decayed } = trace.momentum
  const strength = threshold >= NEVER_STRONG ? '' : ` (strong from ${threshold})`
  const from = before.signature === '' ? 'nothing' : before.signature
  const lines = [
    `  ${event} by rule ${rule}: ${reason}`,
    `  before ${from} for ${turns(before.momentum)}, after ${after.signature} for ${turns(after.momentum)}${strength}`,
  ]
  if (resisted !== null) {
    lines.push(
      `  held off ${resisted.domain} (${signals(resisted.confidence)}), ${turns(after.resistedRun)} in a row`,
    )
  }
  if (decayed) lines.push('  momentum decayed: no signal of the compound for too long')
  const second = trace.secondary === null ? 'no secondary' : part(trace.secondary)
  lines.push(`  in force: primary ${part(trace.primary)}, ${second}; signature ${trace.signature}`)
  return ['Momentum', ...lines].join('\n')
}

function enrichment({ plan, enrichment: text, log }: TurnTrace): string {
  const reason = (skipped: string | null) => (skipped === null ? '' : ` (${skipped})`)
  const lines = [
    `  primary ${plan.primary_enrichment ? 'injected' : 'skipped'}${reason(plan.reason_primary_skipped)}, secondary ${plan.secondary_enrichment ? 'injected' : 'skipped'}${reason(plan.reason_secondary_skipped)}`,
    ...(text === '' ? [] : text.split('\n').map((line) => `  | ${line}`.trimEnd())),
  ]
  return ['Enrichment', ...lines, '', 'Log', ...log.map((line) => `  ${line}`)].join('\n')
}

/** [K24] Files that the agent edited until the next turn, and what file triggers say of them. */
function edits({ edits: all = [] }: TurnTrace): string {
  if (all.length === 0) return ''
  const lines = all.flatMap(({ seq, tool, path, skills }) => [
    `  ${path} (event ${seq + 1}, ${tool})${skills.length === 0 ? ': no file trigger' : ''}`,
    ...skills.map((skill) => `    ${skill.skill} ${editWords(skill)}`),
  ])
  return ['Edited files', ...lines].join('\n')
}

function whyNot(trace: TurnTrace): string {
  if (trace.whyNot.length === 0) return ''
  const lines = trace.whyNot.flatMap((entry) => [
    `  ${entry.domain} (${signals(entry.score)}): ${entry.reason}`,
    ...(entry.signalsNeeded === null
      ? []
      : [`    ${counted(entry.signalsNeeded, 'more signal')} would make it primary`]),
    ...entry.changes.map((change) => `    or ${change.what}: ${change.from} -> ${change.to}`),
  ])
  return ['Why not', ...lines].join('\n')
}

function warnings(trace: TurnTrace): string {
  if (trace.warnings.length === 0) return ''
  return ['Warnings', ...trace.warnings.map((warning) => `  ${warning}`)].join('\n')
}
