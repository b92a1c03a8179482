import type { ProbeOptions } from '../schema/probe.ts'

/** Preset `recommended`: the document’s safeguards, with DECISIONS L26 and L29, and the hybrid rule that was measured. */
export const recommendedProbe: ProbeOptions = {
  enabled: true,
  maxPhrases: 8,
  minChars: 3,
  minWords: 3,
  reflexCommands: ['exit', 'help', 'status', 'list_tools'],
  topK: 3,
  maxCollections: null,
  cacheMaxAge: 10,
  fullInputWeight: 0.5,
  threshold: null,
  rule: { kind: 'hybrid', lexicalWeight: 0.2, combined: 0.4, floor: 0.25 },
  personaMinStrength: 'moderate',
  personaMomentum: 2,
}

type Lines = { readonly [K in keyof ProbeOptions]: string }

/** One line of help for every option. */
export const PROBE_HELP: Lines = {
  enabled: 'Probe messages at all.',
  maxPhrases: 'Phrases probed a message, best kinds first.',
  minChars: 'Shorter phrases are noise.',
  minWords: 'Messages with fewer words are not probed.',
  reflexCommands: 'Messages that are one of these are not probed.',
  threshold:
    'Least cosine of a hit; none = the default of the embedder, raised by the calibration of the collection (L29).',
  rule: 'What makes a hit: the cosine alone, or the cosine with the words that phrase and chunk share.',
  topK: 'Hits kept a phrase and collection.',
  maxCollections: 'Collections probed at most; none = all.',
  cacheMaxAge: 'Turns for which a phrase is not asked again (L27).',
  fullInputWeight: 'Weight of hits of the whole message, probed where it has no phrase of its own.',
  personaMinStrength: 'Least strength that switches the persona; none = any hit (L26).',
  personaMomentum:
    'Turns after which a moderate hit cannot leave a persona; none = always can (L26).',
}
