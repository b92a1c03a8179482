import type { EditTrace, EditVerdict } from '../schema/edit-trace.ts'

type Skill = EditTrace['skills'][number]

const WORDS: Readonly<Record<EditVerdict, (skill: Skill) => string>> = {
  fires: ({ by }) => (by === null ? 'fires' : `fires: the text matches ${by}`),
  excluded: ({ by }) => `does not fire: the path is excluded by ${by ?? ''}`,
  no_content: ({ by }) => `does not fire: the text matches none of ${by ?? ''}`,
  not_created: () => 'does not fire: it is for new files, and this call changes a part of one',
  marked: ({ by }) => `does not fire: the text has the marker ${by ?? ''}`,
  used: () => 'does not fire: the skill was opened before in this session',
}

/** [K24] Whether a skill fires on an edited file and why, for people. */
export function editWords(skill: Skill): string {
  return `${WORDS[skill.verdict](skill)} (path ${skill.glob})`
}
