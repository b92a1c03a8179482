import type { Words } from '../annotate.ts'

export const LABEL_WORDS: Words = {
  '': 'One line of a labels file (SESSION.labels.jsonl): what a turn of a session is, what a text is, or how a session ended. Each line is a JSON object; lines that begin with # are comments.',
  type: '`turn`: a turn of a session (the usual case where `event` is given). `text`: a text that stands here itself. `outcome`: how a session ended; here the type is needed.',
  id: 'Name of the label, for reports. Any text.',
  session: 'Id of the session inside the file. Left out: its first session.',
  event: 'Number of the event in its session, from 0.',
  sha256: {
    text: 'First 16 to 64 hexadecimal digits of the SHA-256 of the text of the event. The label holds where this text is, and is listed as lost where no event has it.',
    examples: ['9f86d081884c7d65'],
  },
  text: 'The text that is labelled. It is decided by itself, without momentum.',
  source: {
    text: 'Where the text comes from, for example a repository. Labels are split by source when signals are measured, never one by one. At most 400 characters.',
    examples: ['owner/repository'],
  },
  primary: { text: 'Domain that the turn is, in the best single reading.', examples: ['bugfix'] },
  acceptable: 'Other domains that are right as primary too.',
  secondary:
    'A second domain that is really present. `null`: there is none. Left out: nothing is said.',
  forbidden: 'Domains that must be neither primary nor secondary.',
  note: 'A remark for people.',
  by: 'Who labelled it. `consensus` is what several readers settled on. At most 100 characters.',
  via: 'From which list the turn was labelled. The window writes it, so that the worth of the lists can be told.',
  'via.list': {
    text: 'The list.',
    values: {
      queue: 'Turns on which the rules are likely to be wrong.',
      random: 'Turns by chance, to know how many are wrong anyway.',
    },
  },
  'via.nth': 'The how-manyth label of that list it was, from 1.',
  'via.said': 'The primary that was decided when it was labelled.',
  pass: 'Whether the session reached what its user wanted.',
  score: 'How well the session went, on any scale; larger is better.',
}
