import type { Words } from '../annotate.ts'

const WEIGHT =
  'What its match adds to the sum, 0 to 1000. Left out: what `scoring` says of its kind.'

/** One list of triggers, whose entries may have a weight. */
function list(path: string, text: string, value: string): Words {
  return { [path]: text, [`${path}[].value`]: value, [`${path}[].weight`]: WEIGHT }
}

function triggers(path: string, text: string): Words {
  const pattern = 'A JavaScript regular expression.'
  return {
    [path]: text,
    ...list(
      `${path}.keywords`,
      'Texts that stand somewhere in the message, whatever their case. `ui` is in `build` too.',
      'The text.',
    ),
    ...list(`${path}.keywordPatterns`, 'Regular expressions for keywords, flag `i`.', pattern),
    ...list(
      `${path}.intentPatterns`,
      'Regular expressions for what a person wants, flag `i`. Of several that match one counts.',
      pattern,
    ),
    ...list(
      `${path}.contextPatterns`,
      'Phrases around the subject. Each that matches counts.',
      'The phrase.',
    ),
    [`${path}.pathPatterns`]:
      'Globs of paths that the message names. Of several that match one counts.',
    ...list(
      `${path}.contentPatterns`,
      'Regular expressions for code in the message. Of several that match one counts.',
      pattern,
    ),
    [`${path}.excludePatterns`]: 'Patterns whose match keeps the skill from firing.',
  }
}

const KIND = 'What a match of this kind adds to the sum of a skill.'

export const SKILL_RULES_WORDS: Words = {
  '': 'Skill rules: what a hook looks for in every prompt, to tell a coding agent which of its skills to read. Turnscope reads both published forms. Fields that are not listed here are for other tools and stay as they are.',
  version: 'Version of the file, for people.',
  description: 'What the rules are for.',
  config: 'Settings of a file that scores.',
  'config.minConfidenceScore': 'Least sum with which a skill fires.',
  scoring:
    'What matches add to the sum, by kind. With it the file scores; a kind that is not named adds 1.',
  'scoring.keyword': KIND,
  'scoring.keywordPattern': KIND,
  'scoring.intentPattern': KIND,
  'scoring.contextPattern': KIND,
  'scoring.pathPattern': KIND,
  'scoring.directoryMatch': KIND,
  'scoring.contentPattern': KIND,
  directoryMappings: {
    text: 'Folders, and the skill that a path below each of them speaks for.',
    examples: [{ 'src/api': 'backend' }],
  },
  skills: 'The skills, by name. Their order decides between equals. A name may not contain "+".',
  'skills{}.type':
    'What the hook calls the skill, for example `domain` or `guardrail`. It changes nothing here.',
  'skills{}.enforcement':
    'What the hook does when it fires: `suggest`, `warn` or `block`. It changes nothing here.',
  'skills{}.priority': {
    text: 'Order among the skills that fire: a word, or, in a file that scores, a number (the larger the better).',
    values: {
      critical: 'Listed first.',
      high: 'After the critical ones.',
      medium: 'After those of high priority.',
      low: 'Listed last.',
    },
  },
  'skills{}.description': 'What the skill is about, in a sentence.',
  ...triggers(
    'skills{}.promptTriggers',
    'What is looked for in a message, in a file of the first form.',
  ),
  ...triggers('skills{}.triggers', 'What is looked for in a message, in a file that scores.'),
  'skills{}.fileTriggers': 'Edits of files on which the skill fires.',
  'skills{}.fileTriggers.pathPatterns':
    'Globs of paths. An edited file of one of them fires the skill.',
  'skills{}.fileTriggers.pathExclusions': 'Globs of paths that do not fire it.',
  'skills{}.fileTriggers.contentPatterns':
    'Regular expressions, of which one has to match the new text of the edit.',
  'skills{}.fileTriggers.createOnly': 'Only calls that write a whole file count.',
  'skills{}.excludePatterns': 'Patterns whose match keeps the skill from firing.',
  'skills{}.minScore':
    'Least sum with which this skill fires, in the place of `minConfidenceScore`.',
  'skills{}.skipConditions': 'What holds file triggers back.',
  'skills{}.skipConditions.sessionSkillUsed':
    'Not again once the agent has opened the skill in the session.',
  'skills{}.skipConditions.fileMarkers': 'Not where the new text has one of these.',
}
