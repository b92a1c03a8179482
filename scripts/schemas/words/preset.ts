import { BELIEF_OPTIONS } from '../../../core/engine/belief/options.ts'
import { BUNDLE_OPTIONS } from '../../../core/engine/bundle/options.ts'
import type { OptionsTable } from '../../../core/engine/options-table.ts'
import { PROBE_HELP, recommendedProbe } from '../../../core/engine/probe/options.ts'
import { PROMPT_OPTIONS } from '../../../core/engine/prompt/options.ts'
import { QUERY_OPTIONS } from '../../../core/engine/query/options.ts'
import { SELF_SIGNAL_OPTIONS } from '../../../core/engine/self-signal/options.ts'
import type { Word, Words } from '../annotate.ts'
import { SCHEMA_WORD } from './common.ts'

const ESTIMATORS = {
  chars4: 'A token for every four characters.',
  words13: 'Words times 1.3, rounded down.',
  o200k_base: 'The real tokenizer of that name.',
} as const

/** Descriptions in addition to the help that the window also shows. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'prompt.estimator': ESTIMATORS,
  'bundle.estimator': { ...ESTIMATORS, larger: 'The larger one of words13 and chars4.' },
  'probe.personaMinStrength': {
    weak: 'A weak hit is enough.',
    moderate: 'A moderate hit is enough.',
    strong: 'Only a strong hit.',
  },
}

/** The options of a part, with the help that the window and its editor show, and the value of `recommended`. */
function optionWords(part: string, options: OptionsTable<object>): Words {
  const rows: ReadonlyArray<readonly [string, { readonly value: unknown; readonly help: string }]> =
    Object.entries(options)
  return Object.fromEntries(
    rows.map(([name, { value, help }]): readonly [string, Word] => {
      const path = `${part}.${name}`
      const text = `${help} In \`recommended\`: ${JSON.stringify(value)}.`
      const values = VALUES[path]
      return [path, values === undefined ? text : { text, values }]
    }),
  )
}

const PROBE_OPTIONS = Object.fromEntries(
  Object.entries(PROBE_HELP).map(([name, help]) => {
    return [
      name,
      { help, value: new Map<string, unknown>(Object.entries(recommendedProbe)).get(name) },
    ]
  }),
)

export const PRESET_WORDS: Words = {
  '': 'Every rule that changes behaviour, by name. A preset sets all of them, so that it says by itself what it does; core/SPEC.md has the rules by number.',
  $schema: SCHEMA_WORD,
  name: 'Name of the preset: that of the file, without its ending.',
  title: 'Title, as lists show it.',
  help: 'What the preset is for, in a sentence.',
  belief: 'How turns are classified, and how momentum holds and breaks.',
  selfSignal: 'How self-signals of the agent are read.',
  query:
    'How the kind of a message is told: code, documentation, research, conversational, action.',
  prompt: 'How system prompts are composed from segments.',
  bundle: 'How step awareness bundles are built. Left out: as in `recommended`.',
  probe: 'How the semantic probe works. Left out: as in `recommended`.',
  ...optionWords('belief', BELIEF_OPTIONS),
  'belief.antiSignals[].pattern':
    'A pattern in Python dialect, looked for in the text of the turn.',
  'belief.antiSignals[].domains': 'Domains whose scores it multiplies. At least one.',
  'belief.antiSignals[].factor': 'What their scores are multiplied with, 0 to 1.',
  'belief.stripQuoted.quotation': 'Lines that begin with `>`.',
  'belief.stripQuoted.fence': 'Blocks in ``` or ~~~.',
  'belief.stripQuoted.log': 'Pasted logs and stack traces, but for their first line.',
  'belief.stripQuoted.notice': 'Lines that clients write: no output, hidden lines.',
  'belief.classify.user': 'Messages of people.',
  'belief.classify.agent': 'Messages of the agent, where it goes on by itself.',
  'belief.classify.tool': 'Results of tools.',
  'belief.classify.notices': 'Results of tools without words, or with notices of the client only.',
  ...optionWords('selfSignal', SELF_SIGNAL_OPTIONS),
  ...optionWords('query', QUERY_OPTIONS),
  ...optionWords('prompt', PROMPT_OPTIONS),
  ...optionWords('bundle', BUNDLE_OPTIONS),
  ...optionWords('probe', PROBE_OPTIONS),
  'probe.rule.kind':
    '`cosine`: the cosine alone decides. `hybrid`: also the words that phrase and chunk share.',
  'probe.rule.lexicalWeight': 'What the share of common words is multiplied with, 0 to 1.',
  'probe.rule.combined': 'Least sum of the cosine and the weighted share, 0 to 2.',
  'probe.rule.floor': 'Least cosine of a hit by the sum, -1 to 1.',
}
