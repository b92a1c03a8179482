import type { Words } from '../annotate.ts'

export const SCHEMA_WORD =
  'Address of the JSON Schema of this file, for editors that look here for it. Turnscope does not read it.'

const DIALECTS = {
  python:
    "Python's `re.search` with IGNORECASE. The usual dialect. What Python refuses is refused when the file is read.",
  js: 'A JavaScript regular expression, with flag `i` unless `flags` says otherwise.',
  keyword:
    'A text that stands somewhere in the message, whatever its case. It is no pattern: `.` is a dot.',
  glob: 'A path that the message names. `*` stays in a folder, `**` does not: `src/**/*.test.ts`.',
} as const

/** Descriptions of a signal, for every place that allows one. */
export function signalWords(path: string, text: string): Words {
  return {
    [path]: text,
    [`${path}.id`]:
      'Name of the signal, unique in its domain. Traces, tours, lint and labels call it by this name; without one it is called by its number, which changes when the list does.',
    [`${path}.pattern`]: {
      text: 'What is looked for, in the dialect beside it. In YAML, single quotes keep backslashes as they are.',
      examples: [String.raw`\bstack ?trace\b`],
    },
    [`${path}.dialect`]: { text: 'How the pattern is read.', values: DIALECTS, default: 'python' },
    [`${path}.flags`]: {
      text: 'Letters of flags. Python: a (ASCII), i, m, s, u, x. JavaScript: i, m, s, u, v. Other dialects take none. Python signals ignore case whatever stands here.',
      examples: ['m', 'is'],
    },
    [`${path}.note`]: 'A remark for people. It changes nothing.',
    [`${path}.weight`]: {
      text: 'What a match adds to the score, 0 to 1000. With 0 the match is shown and decides nothing.',
      default: 1,
      examples: [2, 0.5],
    },
    [`${path}.group`]:
      'Of the signals of one group in a domain only the weightiest that matched counts. Any name.',
    [`${path}.excludes`]: {
      text: 'A match takes the domain out of the turn, whatever else of it matched.',
      default: false,
    },
  }
}
