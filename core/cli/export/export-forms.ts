import { basename } from 'node:path'
import { redactionNote } from '../../engine/schema/redaction-note.ts'
import { type RedactOptions, redactText } from '../../engine/redact/redact.ts'
import { ExportForm } from '../../engine/schema/export-form.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import type { OpenTranscript } from '../../host/transcripts/transcript.ts'
import { FORM_TEXTS, type Played } from '../../host/export/session/written-forms.ts'
import { notice } from '../../host/platform/terminal.ts'
import { packageVersion } from '../../version.ts'
import { CommandError, print } from '../kit/output.ts'
import type { Replayer } from '../replay/replayer.ts'

const FORMS = ExportForm.options
/** Files to write, `-` for standard output. */
export type Targets = Readonly<Partial<Record<ExportForm | 'html', string | undefined>>>

export interface FormRequest {
  readonly files: ReadonlyArray<{ readonly file: OpenTranscript; readonly name: string }>
  readonly turns: readonly [number, number] | null
  readonly redaction: RedactOptions | null
  readonly replayer: Replayer
  readonly preset: string
  readonly other: { readonly replayer: Replayer; readonly preset: string } | null
}

/** [U129] One target or several; only one of them may be standard output. */
export function refuseTargets(
  targets: Targets,
  request: Pick<FormRequest, 'turns' | 'other'>,
): void {
  // Whoever calls gives all options of the command.
  const named = (['html', ...FORMS] as const).flatMap((form) => targets[form] ?? [])
  const wrong = (what: string, todo: string) =>
    new CommandError({ what, where: 'export', do: todo })
  if (named.length === 0)
    throw wrong('nothing says what to write', 'Add --html, --markdown, --jsonl, --otel or --csv')
  if (named.filter((target) => target === '-').length > 1)
    throw wrong('two outputs cannot share standard output', 'Name a file for one of them')
  if (targets.markdown !== undefined && request.turns === null && request.other === null)
    throw wrong(
      'Markdown is of some turns or of a comparison',
      'Add --turns 14 (or 14-16), or --compare with a preset',
    )
}

/** Writes what was asked for besides a page. */
export async function writeForms(targets: Targets, request: FormRequest): Promise<void> {
  if (FORMS.every((form) => targets[form] === undefined)) return
  const played = await playAll(request)
  for (const form of FORMS) {
    const target = targets[form]
    if (target === undefined) continue
    let redacted = 0
    const options = request.redaction && {
      ...request.redaction,
      onSecret: () => {
        redacted += 1
      },
    }
    const redact = (text: string) => (options === null ? text : redactText(text, options))
    const lines = FORM_TEXTS[form]({
      ...{ played, redact, turns: request.turns, version: packageVersion() },
      sides: [request.preset, request.other?.preset ?? null],
      trace: (replay, turn) => request.replayer.trace(replay, turn),
    })
    if (target === '-') for (const line of lines) await print(line)
    else {
      const bytes = await writeOutput(target, lines, { root: process.cwd() })
      notice(`${target}: ${bytes} bytes, ${redacted} places redacted`)
      if (options !== null) notice(redactionNote(options.kinds))
    }
  }
}

async function playAll({ files, replayer, other }: FormRequest): Promise<readonly Played[]> {
  const played: Played[] = []
  for (const { file, name } of files) {
    for (const session of file.transcript.sessions) {
      const replay = await replayer.replay(session)
      const { columns } = replay
      const second = other === null ? null : await other.replayer.replay(session)
      played.push({ file: basename(name), session, replay, columns, other: second })
    }
  }
  return played
}
