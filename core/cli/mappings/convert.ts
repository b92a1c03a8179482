import { redactionNote } from '../../engine/schema/redaction-note.ts'
import { realpath } from '../../host/platform/files/fenced-fs.ts'
import { InvalidArgumentError } from 'commander'
import { inChunks } from '../../host/platform/threads/yielding.ts'
import { droppedFacts } from '../../engine/redact/dropped.ts'
import type { RedactOptions } from '../../engine/redact/redact.ts'
import type { Secret } from '../../engine/redact/scan.ts'
import { sessionLines } from '../../engine/redact/session-lines.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import { DEFAULT_KINDS, RedactionKind } from '../../engine/schema/redaction.ts'
import { notice, plainJson } from '../../host/platform/terminal.ts'
import { type FormatsOf, formatOfFile } from '../../host/transcripts/own-formats.ts'
import { ownFormats, readFile } from '../replay/replayer.ts'
import { command } from '../kit/command.ts'
import { COMMON, flag, parsed, text } from '../kit/options.ts'
import { CommandError, print } from '../kit/output.ts'

/** `convert FILE…`: writes any known format as native JSONL, redacted on request. */
export const convert = command({
  name: 'convert',
  summary: 'write transcripts of any known format as native JSONL',
  args: [['<file...>', 'transcripts; several are written one after the other']],
  options: {
    out: text('-o, --out <file>', 'file to write, - for stdout (default: stdout)'),
    output: text('--output <file>', 'the same as --out'),
    redact: parsed<true | readonly RedactionKind[]>(
      '--redact [kinds]',
      `write [REDACTED:kind] for secrets: ${RedactionKind.options.join(',')}, default (${DEFAULT_KINDS.join(', ')}) or all`,
      parseKinds,
    ),
    report: flag(
      '--report',
      'say on stderr what was redacted, by kind and rule; values are not shown',
    ),
    map: text(
      '--map <file>',
      'read with this mapping file, whatever format the transcripts are in (docs/formats.md)',
    ),
    ...COMMON,
  },
  run: async ({ redact, report, out, output, map, workspace }, files) => {
    const counts = createCounts()
    const kinds = redact === true ? DEFAULT_KINDS : redact
    const redaction = kinds === undefined ? null : { kinds, onSecret: counts.add }
    const formats = map === undefined ? ownFormats({ workspace }) : formatOfFile(map)
    await write(out ?? output, { files, formats }, redaction)
    if (report === true) for (const line of counts.lines()) notice(line)
  },
})

/** [F35] Kinds by name. `default` and `all` name several kinds. */
function parseKinds(names: string): readonly RedactionKind[] {
  const kinds = names.split(',').flatMap((each) => {
    const name = each.trim()
    if (name === 'default') return DEFAULT_KINDS
    if (name === 'all') return RedactionKind.options
    const kind = RedactionKind.safeParse(name)
    if (kind.success) return [kind.data]
    const known = [...RedactionKind.options, 'default', 'all'].join(', ')
    throw new InvalidArgumentError(`"${name}" is none of ${known}.`)
  })
  return [...new Set(kinds)]
}

interface From {
  readonly files: readonly string[]
  readonly formats: FormatsOf
}

async function write(
  target: string | undefined,
  from: From,
  redaction: RedactOptions | null,
): Promise<void> {
  // [F61] As other programs do: a file of that name is written by `./-`.
  if (redaction !== null) notice(redactionNote(redaction.kinds))
  if (target === undefined || target === '-') {
    for await (const part of convertedText(from, redaction)) await print(plainJson(part))
    return
  }
  await refuseInput(target, from.files)
  await writeOutput(target, convertedText(from, redaction), { root: process.cwd() })
}

/** A transcript is never written over: it may be the only copy. */
async function refuseInput(target: string, files: readonly string[]): Promise<void> {
  const place = await realpath(target).catch(() => null)
  if (place === null) return
  for (const file of files) {
    if ((await realpath(file).catch(() => null)) !== place) continue
    throw new CommandError({
      what: 'this is one of the transcripts themselves',
      where: target,
      do: 'Choose another name',
    })
  }
}

/** Units of text that are written together. */
const CHUNK = 64 * 1024

async function* convertedText(
  { files, formats }: From,
  redaction: RedactOptions | null,
): AsyncGenerator<string> {
  for (const file of files) {
    const opened = await readFile(file, formats)
    const { transcript } = opened
    const dropped = droppedFacts(transcript)
    if (dropped.length > 0) notice(`${file}: not carried over: ${dropped.join('; ')}`)
    for (const session of transcript.sessions)
      yield* inChunks(sessionLines(session, redaction), CHUNK, () => undefined)
    opened.close()
  }
}

/** Counts how often each rule found something. */
function createCounts() {
  const counts = new Map<string, number>()
  return {
    add: ({ kind, rule }: Secret) => {
      const name = `${kind}: ${rule}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    lines: (): readonly string[] => {
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const rows = [...counts].toSorted((a, b) => b[1] - a[1])
      return [`redacted ${total}`, ...rows.map(([name, count]) => `  ${name} ${count}`)]
    },
  }
}
