import type { QueryClassification, QueryType } from '../schema/query.ts'

/** The needs of a type for its answer, and its prompt segment (oracle-agent T003). */
type QueryNeeds = Pick<QueryClassification, 'needsCode' | 'needsVault' | 'needsWeb' | 'segment'>

function needs(segment: string, what: 'code' | 'vault' | 'web' | null): QueryNeeds {
  return {
    needsCode: what === 'code',
    needsVault: what === 'vault',
    needsWeb: what === 'web',
    segment,
  }
}

export const QUERY_NEEDS: Readonly<Record<QueryType, QueryNeeds>> = {
  code: needs('code', 'code'),
  documentation: needs('docs', 'vault'),
  research: needs('research', 'web'),
  conversational: needs('conversation', null),
  action: needs('docs', 'vault'),
}

/** Order of scoring: of equal scores the first type wins (Q2). */
export const SCORE_ORDER: readonly QueryType[] = [
  'code',
  'documentation',
  'research',
  'action',
  'conversational',
]

function words(lines: string): readonly string[] {
  return lines
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .sort()
}

/** Keyword sets of oracle-agent T008, sorted (Q5). [Q7] the sets count, not the table beside them. */
export const KEYWORDS: Readonly<Record<QueryType, readonly string[]>> = {
  code: words(`
    function, method, class, variable, module, import, package
    implement, implementation, code, coding, syntax, error, bug, fix, debug
    where is, find the, locate, which file, what file
    how does, how do, how is, what does
    line, lines, return, parameter, argument, type, interface, api, endpoint, route, handler
    controller, model, service, repository, database, query, schema`),
  documentation: words(`
    decision, architecture, design, spec, specification, document, documentation, readme
    why did we, why was, what did we, when did we, history of
    plan, planning, roadmap, milestone, sprint
    process, workflow, convention, standard, guideline
    meeting, discussion, agreed, consensus`),
  research: words(`
    best practice, best practices, compare, comparison, vs, versus, alternative, alternatives
    latest, new, recent, update, news, trend, trending
    recommend, recommendation, should we, should i, better, worse, pros and cons
    learn, tutorial, guide, how to, example, examples
    library, framework, tool, package, npm, pip, crate`),
  action: words(`
    create, make, generate, new, add
    update, modify, change, edit, rename, move
    save, write, store, persist
    commit, push, merge, branch
    delete, remove, file, folder, directory`),
  conversational: words(`
    thanks, thank you, great, perfect, awesome, cool, ok, okay, got it, understood
    yes, yeah, yep, sure, right, correct
    no, nope, not, nevermind, never mind
    what do you mean, can you explain, more details, elaborate
    hmm, huh, interesting`),
}

export const QUESTION_STARTERS: ReadonlySet<string> = new Set(
  words('what, where, when, why, how, which, who, can, could, would, should, is, are, does, do'),
)

/** Words that refer to earlier messages. */
export const FOLLOWUP_WORDS: ReadonlySet<string> = new Set(
  words('it, that, this, they, them, also, more, another'),
)
