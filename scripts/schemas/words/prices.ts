import type { Words } from '../annotate.ts'

export const PRICE_WORDS: Words = {
  '': 'Prices of models, for the cost of each call (`turnscope context --prices`). None ship, because prices change.',
  currency: { text: 'Currency, shown behind each cost.', examples: ['USD'] },
  models:
    'Prices per million tokens by model. A name also counts for all models that begin with it; the longest name that fits counts.',
  'models{}.input': 'Price of a million tokens of input that are not cached.',
  'models{}.output': 'Price of a million tokens of output, reasoning included.',
  'models{}.cacheRead':
    'Price of a million tokens read from the cache. Without it they cost as much as input.',
  'models{}.cacheWrite':
    'Price of a million tokens written to the cache. Without it they cost as much as input.',
}
