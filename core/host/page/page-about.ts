import { counted } from '../../engine/result.ts'
import type { PageRequest } from './page-request.ts'

/** [R14] What a page is and what was left out, in sentences that stand in it. */
export function aboutPage(
  { redaction, text, edit, config, draft }: PageRequest,
  { sessions, labels, left }: { sessions: number; labels: number; left: readonly string[] },
): readonly string[] {
  const secrets =
    redaction === null ? 'Nothing was redacted.' : 'Secrets that were found are redacted.'
  const judged = labels === 0 ? '' : ` with ${counted(labels, 'label')}`
  const what = `${counted(sessions, 'session')}${judged}, replayed under the preset ${config.config.preset}. ${secrets}`
  const changes = text && edit ? 'Labels and edits' : 'Labels'
  return [
    `${what} ${changes} that you make stay in this page until it is closed, or saved as a file.`,
    ...(draft !== null && text && edit
      ? ['A draft that was not saved came along: Tune has it.']
      : []),
    ...(text ? [] : TEXTLESS),
    ...(text && !edit ? ['Left out: Tune. Signals cannot be edited in this page.'] : []),
    ...left.map((line) => `Left out: ${line}.`),
  ]
}

/** [U120] What is not known of a text is not guessed: the reader is told what cannot be done, and what still shows. */
const TEXTLESS = [
  'Left out: what was said. Dots stand for messages and for texts of tools; titles, folders and names of people are gone. Lengths, times, names of tools and every decision stay, with the places where patterns matched: a pattern still tells what kind of words stood there.',
  'So signals cannot be edited and tried here, words cannot be found, and there are no prompts, self-signals, bundles or verdicts of the coach. Presets can be compared where they read the same texts with the same signals.',
]
