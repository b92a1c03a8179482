import { describe, expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { QueryType } from '../schema/query.ts'
import { classificationOf, classifyQuery } from './classify.ts'
import { KEYWORDS, QUERY_NEEDS } from './keywords.ts'

/** The tests printed in oracle-agent T009 (names and inputs from there), under both presets. */

const QUERIES: Readonly<Record<string, readonly [QueryType, readonly string[]]>> = {
  test_code_queries_classified_correctly: [
    'code',
    [
      'Where is the authentication function?',
      'How does the login method work?',
      'What does the validate_user function return?',
      'Find the database connection class',
      'Which file has the API endpoint for users?',
      "What's the implementation of the cache service?",
      'Show me the code for the auth middleware',
      'Locate the error handling module',
      'What parameters does get_user take?',
      'How is the session variable initialized?',
    ],
  ],
  test_docs_queries_classified_correctly: [
    'documentation',
    [
      'Why did we choose PostgreSQL?',
      "What's the architecture decision for auth?",
      'Show me the design spec for the API',
      'What was discussed in the sprint meeting?',
      'When did we agree to use TypeScript?',
      "What's our convention for naming?",
      'Show me the documentation for this feature',
      "What's the roadmap for Q2?",
      'What guidelines do we follow for testing?',
    ],
  ],
  test_research_queries_classified_correctly: [
    'research',
    [
      'What are the best practices for API design?',
      'Compare React vs Vue for this project',
      "What's the latest version of Python?",
      'Should we use Redis or Memcached?',
      'What alternatives to JWT exist?',
      'Recommend a library for PDF parsing',
      'What are the pros and cons of microservices?',
      'How to implement OAuth2 properly?',
      "What's trending in frontend development?",
    ],
  ],
  test_action_queries_classified_correctly: [
    'action',
    [
      'Create a new note about the meeting',
      'Update the README with installation steps',
      'Save this to the project docs',
      'Write a summary of the discussion',
      'Delete the old config file',
      'Rename the test folder',
      'Move this file to the archive',
      'Generate a report of test results',
      'Add a new entry to the changelog',
    ],
  ],
  test_conversational_queries_classified_correctly: [
    'conversational',
    [
      'Thanks!',
      'Ok, got it',
      'Yes',
      'No',
      'Great, that helps',
      'Interesting',
      'Perfect',
      'Hmm',
      'Understood',
      'Cool',
    ],
  ],
}

/** [Q1] [Q2] The document's own code fails these three; `literal` reproduces that. */
const FAILS_UNDER_LITERAL: ReadonlySet<string> = new Set([
  'What guidelines do we follow for testing?',
  'Update the README with installation steps',
  'Write a summary of the discussion',
])

for (const preset of ['recommended', 'literal'] as const) {
  const options = promptPreset(preset).query
  const classify = (query: string | null) => classifyQuery(query, null, options)

  for (const [name, [type, queries]] of Object.entries(QUERIES))
    describe(`${preset}: ${name}`, () => {
      for (const query of queries) {
        const run = preset === 'literal' && FAILS_UNDER_LITERAL.has(query) ? test.fails : test
        run(query, () => expect(classify(query)).toMatchObject({ type, ...QUERY_NEEDS[type] }))
      }
    })

  describe(`${preset}: the other tests of T009`, () => {
    test('test_code_query_has_matched_keywords', () => {
      const { keywords } = classify('Where is the authentication function?')
      expect(keywords.some((word) => KEYWORDS.code.includes(word))).toBe(true)
    })
    test('[Q9] test_short_query_is_conversational', () =>
      expect(classify('ok')).toMatchObject({ type: 'conversational', keywords: ['short_query'] }))
    test('test_empty_query_is_conversational', () =>
      expect(classify('').type).toBe('conversational'))
    test('test_none_query_is_conversational', () =>
      expect(classify(null).type).toBe('conversational'))
    test('[Q4] test_whitespace_only_is_conversational', () => {
      expect(classify('   ').type).toBe('conversational')
      expect(classify('   ').confidence).toBe(preset === 'literal' ? 0.8 : 0.5)
    })
    test('test_case_insensitive_matching', () =>
      expect(classify('WHERE IS THE FUNCTION?').type).toBe('code'))
    test('test_ambiguous_query_uses_highest_score', () => {
      const { type } = classify("What's the architecture of the auth function?")
      expect(['code', 'documentation']).toContain(type)
    })
    test('test_question_mark_boosts_confidence', () => {
      const asked = classify('Where is the config?')
      const said = classify('Where is the config')
      expect(asked.type).toBe(said.type)
      expect(asked.confidence).toBeGreaterThanOrEqual(said.confidence)
    })
    test('test_multiple_keywords_higher_confidence', () => {
      const many = classify('find the function implementation in the class')
      expect(many.confidence).toBeGreaterThanOrEqual(classify('function').confidence)
    })
    test('test_no_matches_low_confidence', () =>
      expect(classify('xyzabc123').confidence).toBeLessThan(0.5))
    test('[Q3] a question without a match stays under 0.5', () => {
      const { confidence } = classify('xyzabc123 qwerty?')
      expect(confidence).toBe(preset === 'literal' ? 0.5 : 0.4)
    })
    test('test_strong_match_high_confidence', () => {
      const query = 'Where is the authentication middleware function implemented?'
      expect(classify(query).confidence).toBeGreaterThanOrEqual(0.7)
    })
    test('test_code_needs_only_code', () =>
      expect(classify('What function handles auth?')).toMatchObject({
        type: 'code',
        needsCode: true,
        needsVault: false,
        needsWeb: false,
      }))
    test('test_conversational_needs_nothing', () =>
      expect(classify('Thanks!')).toMatchObject({
        needsCode: false,
        needsVault: false,
        needsWeb: false,
      }))
  })
}

describe('T009: tables', () => {
  test('test_all_query_types_have_context_needs, test_from_type_factory_sets_needs', () => {
    for (const type of QueryType.options)
      expect(classificationOf(type, 0.8)).toMatchObject({ confidence: 0.8, ...QUERY_NEEDS[type] })
  })
  test.each(QueryType.options)('test_%s_keywords_not_empty', (type) =>
    expect(KEYWORDS[type].length).toBeGreaterThan(10),
  )
  test('test_no_keyword_overlap_between_major_types', () => {
    const both = KEYWORDS.code.filter((word) => KEYWORDS.documentation.includes(word))
    expect(both.length).toBeLessThan(5)
  })
})

describe('rules of classification', () => {
  const { query: recommended } = promptPreset('recommended')
  const { query: literal } = promptPreset('literal')

  test.each([
    ['I know the answer', 'no'],
    ['look at the token', 'ok'],
  ])('[Q1] "%s" is not conversational by "%s"', (query, inner) => {
    expect(classifyQuery(query, null, literal).keywords).toContain(inner)
    expect(classifyQuery(query, null, recommended).keywords).not.toContain(inner)
  })
  test('[Q1] endings count: s, es, ed, ing, ies; not for conversational words', () => {
    for (const query of ['the functions here', 'it was refactored and fixed', 'two libraries, one'])
      expect(classifyQuery(query, null, recommended).by).toBe('score')
    expect(classifyQuery('cools and greats', null, recommended).by).toBe('none')
  })
  test('[Q1] blanks of any length stand between the words of a phrase', () => {
    const { keywords } = classifyQuery('so, best \n\t practices then', null, recommended)
    expect(keywords).toEqual(['best practices'])
  })
  test('[Q6] a stretch of text counts once', () => {
    expect(classifyQuery('best practices', null, literal).scores?.research).toBe(4)
    expect(classifyQuery('best practices', null, recommended).scores?.research).toBe(2)
  })
  test.each(['please', 'can you', 'could you please', "let's"])(
    '[Q2] a tie is an action after "%s"',
    (lead) => {
      const answer = classifyQuery(`${lead} update the readme`, null, recommended)
      expect([answer.type, answer.by]).toEqual(['action', 'leading_imperative'])
    },
  )
  test('[Q5] keywords are sorted', () => {
    const { keywords } = classifyQuery('the schema of the api module', null, recommended)
    expect(keywords).toEqual(['api', 'module', 'schema'])
  })
  test('[Q8] follow-up only when nothing matched and something was said before', () => {
    const by = (query: string, context: string | null) =>
      classifyQuery(query, context, recommended).by
    expect(by('tell me of that other thing then', 'before')).toBe('followup')
    expect(by('tell me of that other thing then', null)).toBe('none')
    expect(by('tell me of that function then', 'before')).toBe('score')
  })
})
