import type { Words } from '../annotate.ts'
import { SCHEMA_WORD, signalWords } from './common.ts'

const SIGNALS = [
  {
    label: 'signal',
    description: 'A pattern with a name',
    body: { id: '$1', pattern: '$2' },
  },
  {
    label: 'signal that excludes',
    description: 'A pattern whose match takes the domain out of the turn',
    body: { id: '$1', pattern: '$2', excludes: true },
  },
]

export const DOMAIN_WORDS: Words = {
  '': 'Domains, the kinds of work that turns are classified as, and the signals that show them. A turn is what a person says, or what a tool answers.',
  $schema: SCHEMA_WORD,
  name: 'Name of the configuration, for people. Commands and lists use the name of the file.',
  description: 'What the domains are for, in a sentence, for people.',
  kind: '`skill-rules`: each domain is a skill, all that match fire, and every message stands by itself without momentum. Left out: ordinary domains.',
  madeFrom: {
    text: 'Sources of labels that the signals were written or chosen on. Figures on turns of these sources are marked, because they flatter. At most 5000.',
    examples: [['session-12.jsonl']],
  },
  domains: {
    text: 'The domains. Their order decides between domains of equal score and equal priority: the first wins.',
    snippets: [
      {
        label: 'domain',
        description: 'A domain with one signal',
        body: [{ name: '$1', priority: 10, signals: [{ id: '$2', pattern: '$3' }] }],
      },
    ],
  },
  'domains[].name': {
    text: 'Name of the domain, as reports, labels and other files call it. Not blank, and without "+", which joins the names of a signature.',
    examples: ['bugfix', 'git_ops'],
  },
  'domains[].priority': {
    text: 'Breaks ties between equal scores: the smaller number wins. Left out, the eleven domains that ship keep their usual numbers, and any other has 99.',
    examples: [1, 10],
  },
  ...signalWords(
    'domains[].signals[]',
    'A pattern in Python dialect by itself, or an object with more to say.',
  ),
  'domains[].signals': {
    text: 'What shows that a turn is about this domain. The score is the number of signals that match (the sum of their weights where they have any); a signal counts once, however often it matches.',
    snippets: SIGNALS.map(({ body, ...snippet }) => ({ ...snippet, body: [body] })),
  },
  'domains[].brief_description':
    'One sentence that goes into the context of the model where this domain is the secondary of a turn. Left out, a general sentence takes its place; an empty text stays empty.',
  'domains[].enrichment_template':
    'Text that goes into the context of the model where this domain is the primary of a turn, below a line with its name. Empty or left out: nothing is injected.',
  'domains[].breakMinSignals': {
    text: 'Least score with which this domain may break a strong momentum of others; `null` means never. It comes before the map of the same name in the preset.',
    default: 1,
    examples: [2, null],
  },
  'domains[].minSignals': {
    text: 'Least number of signals for this domain to be the primary of a turn. With fewer it can still be the secondary. It comes before the map of the same name in the preset.',
    default: 1,
    examples: [2],
  },
  'domains[].minScore': {
    text: 'Least sum of weights for this domain to take part in a turn at all. Left out: any match is enough.',
    examples: [1.5],
  },
  'domains[].aliases':
    'Other names under which model profiles may know this domain, for their `disabled_domains`.',
  'domains[].fileTriggers':
    'Of a skill: edits of files on which it fires. Messages are not looked at for these.',
  'domains[].fileTriggers.pathPatterns': {
    text: 'Globs of paths. An edited file of one of them fires the skill.',
    examples: [['src/**/*.tsx']],
  },
  'domains[].fileTriggers.pathExclusions': {
    text: 'Globs of paths that do not fire it, also where a path pattern names them.',
    examples: [['**/*.test.tsx']],
  },
  'domains[].fileTriggers.contentPatterns':
    'JavaScript regular expressions. Where there are any, one of them has to match the new text of the edit.',
  'domains[].fileTriggers.createOnly': {
    text: 'Only calls that write a whole file count, not those that change a part of one.',
    default: false,
  },
  'domains[].fileTriggers.fileMarkers': {
    text: 'Texts that hold the skill back where the new text has one of them.',
    examples: [['@skip-validation']],
  },
  'domains[].fileTriggers.sessionSkillUsed': {
    text: 'The skill does not fire again once the agent has opened it in the session.',
    default: false,
  },
}
