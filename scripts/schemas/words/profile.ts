import type { Words } from '../annotate.ts'

const DISABLED =
  'Domains whose enrichment this model does not get, by name or alias. `null` is an empty list. A name that no domain has is a warning of every turn.'

export const PROFILE_WORDS: Words = {
  '': 'A model profile: which domains inject nothing for a model. Fields that are not listed here are kept for other programs.',
  model: {
    text: 'Name of the model, as transcripts write it. The window suggests the profile for sessions of this model.',
    examples: ['Qwen3-14B'],
  },
  disabled_domains: { text: DISABLED, examples: [['bugfix', 'planning']] },
  bst: 'The same list one level down, where evaluation frameworks write it. Both places are read.',
  'bst.disabled_domains': DISABLED,
  aliases: {
    text: 'Names of domains that this profile uses, and the domain that each stands for.',
    examples: [{ codegen: 'coding' }],
  },
  context_window: 'Tokens of the context window of the model, if the transcript records no window.',
  tokenizer:
    'Tokenizer that estimates the parts of a context: `o200k_base`, `chars4` or `words13`.',
}
