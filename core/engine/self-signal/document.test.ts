import { describe, expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { isTerminal } from './fields.ts'
import { parseSelfSignal, readResponse, stripSelfSignal } from './response.ts'

/** The tests printed in oracle-agent T007 (names and inputs from there), under both presets. */

const NEED_TURN = `I found the API endpoint but need to verify the response format.

<signal type="need_turn">
  <reason>Found backup API, need to test if it responds correctly</reason>
  <confidence>0.85</confidence>
  <expected_turns>1</expected_turns>
</signal>`
const CONTEXT_SUFFICIENT = `Based on the authentication middleware in auth.py and the design doc...

<signal type="context_sufficient">
  <sources_found>3</sources_found>
  <source_types>["code", "docs"]</source_types>
  <confidence>0.9</confidence>
</signal>`
const STUCK = `I searched all available sources but couldn't find deployment history.

<signal type="stuck">
  <attempted>["vault_search", "thread_seek", "code_search"]</attempted>
  <blocker>No deployment logs or history found in any source</blocker>
  <suggestions>["check external CI/CD system", "ask team member"]</suggestions>
  <confidence>0.7</confidence>
</signal>`
const NEED_CAPABILITY = `I can show you the test file, but I cannot run the tests myself.

<signal type="need_capability">
  <capability>execute_shell_command</capability>
  <reason>Need to run pytest to verify the fix works</reason>
  <workaround>You can run the command manually: pytest tests/unit/</workaround>
  <confidence>0.8</confidence>
</signal>`
const PARTIAL_ANSWER = `Based on the dev config, the timeout appears to be 30 seconds...

<signal type="partial_answer">
  <missing>Could not verify production configuration</missing>
  <caveat>This is based on development settings only</caveat>
  <confidence>0.6</confidence>
</signal>`
const DELEGATION = `This would require analyzing the entire authentication system...

<signal type="delegation_recommended">
  <reason>Need to trace auth flow across 23 files</reason>
  <scope>Map all authentication code paths and dependencies</scope>
  <estimated_tokens>15000</estimated_tokens>
  <subagent_type>research</subagent_type>
  <confidence>0.9</confidence>
</signal>`

function needTurn(confidence: string, reason = 'Test'): string {
  return `<signal type="need_turn">
          <reason>${reason}</reason>
          <confidence>${confidence}</confidence>
        </signal>`
}

/** The document’s own code fails these six; `literal` reproduces that. */
const FAILS_UNDER_LITERAL: ReadonlySet<string> = new Set([
  'test_signal_with_extra_whitespace',
  'test_confidence_as_attribute',
  'test_confidence_out_of_range_clamped',
  'test_confidence_negative_clamped',
  'test_timestamp_is_set',
  'test_float_field',
])

for (const preset of ['recommended', 'literal'] as const) {
  const options = promptPreset(preset).selfSignal
  const parse = (response: string | null) => parseSelfSignal(response, options)
  const strip = (response: string | null) => stripSelfSignal(response, options)
  const printed = (name: string, body: () => void) => {
    if (preset === 'literal' && FAILS_UNDER_LITERAL.has(name)) test.fails(name, body)
    else test(name, body)
  }

  describe(`${preset}, [S1] [S2] [S3] of which literal has none: TestSignalTypeParsing`, () => {
    printed('test_parse_need_turn', () => {
      const signal = parse(NEED_TURN)!
      expect(signal.type).toBe('need_turn')
      expect(signal.confidence).toBe(0.85)
      expect(signal.fields['reason']).toContain('backup API')
      expect(signal.fields['expected_turns']).toBe(1)
      expect(isTerminal(signal.type)).toBe(false)
    })
    printed('test_parse_context_sufficient', () => {
      const signal = parse(CONTEXT_SUFFICIENT)!
      expect(signal.type).toBe('context_sufficient')
      expect(signal.confidence).toBe(0.9)
      expect(signal.fields).toEqual({ sources_found: 3, source_types: ['code', 'docs'] })
      expect(isTerminal(signal.type)).toBe(true)
    })
    printed('test_parse_stuck', () => {
      const signal = parse(STUCK)!
      expect(signal.type).toBe('stuck')
      expect(signal.confidence).toBe(0.7)
      expect(signal.fields['attempted']).toEqual(['vault_search', 'thread_seek', 'code_search'])
      expect(signal.fields['blocker']).toContain('deployment')
      expect(isTerminal(signal.type)).toBe(true)
    })
    printed('test_parse_need_capability', () => {
      const signal = parse(NEED_CAPABILITY)!
      expect(signal.type).toBe('need_capability')
      expect(signal.confidence).toBe(0.8)
      expect(signal.fields['capability']).toBe('execute_shell_command')
      expect(signal.fields['reason']).toContain('pytest')
      expect(signal.fields['workaround']).toContain('manually')
      expect(isTerminal(signal.type)).toBe(false)
    })
    printed('test_parse_partial_answer', () => {
      const signal = parse(PARTIAL_ANSWER)!
      expect(signal.type).toBe('partial_answer')
      expect(signal.confidence).toBe(0.6)
      expect(signal.fields['missing']).toContain('production')
      expect(signal.fields['caveat']).toContain('development')
      expect(isTerminal(signal.type)).toBe(true)
    })
    printed('test_parse_delegation_recommended', () => {
      const signal = parse(DELEGATION)!
      expect(signal.type).toBe('delegation_recommended')
      expect(signal.confidence).toBe(0.9)
      expect(signal.fields['reason']).toContain('23 files')
      expect(signal.fields['scope']).toContain('authentication')
      expect(signal.fields['estimated_tokens']).toBe(15000)
      expect(signal.fields['subagent_type']).toBe('research')
      expect(isTerminal(signal.type)).toBe(false)
    })
  })

  describe(`${preset}: TestMalformedXML`, () => {
    printed('test_no_signal_returns_none', () =>
      expect(parse('Just a regular response without any signal.')).toBeNull(),
    )
    printed('test_empty_response_returns_none', () => {
      expect(parse('')).toBeNull()
      expect(parse(null)).toBeNull()
    })
    printed('test_unclosed_signal_tag', () =>
      expect(
        parse('Answer here.\n        <signal type="need_turn">\n          <reason>Unclosed signal'),
      ).toBeNull(),
    )
    printed('test_unknown_signal_type', () =>
      expect(parse(needTurn('0.5').replace('need_turn', 'unknown_type'))).toBeNull(),
    )
    printed('test_missing_type_attribute', () =>
      expect(parse('<signal>\n          <reason>No type</reason>\n        </signal>')).toBeNull(),
    )
    printed('test_nested_xml_in_field', () => {
      const reason = 'Found <code>function()</code> that needs testing'
      expect(parse(needTurn('0.7', reason))?.fields['reason']).toBe(reason)
    })
  })

  describe(`${preset}: TestEdgeCases`, () => {
    printed('test_signal_with_single_quotes', () => {
      const response = needTurn('0.5', 'Testing single quotes').replaceAll('"', "'")
      expect(parse(response)?.type).toBe('need_turn')
    })
    printed('test_signal_with_extra_whitespace', () => {
      const response = `<signal   type="need_turn"  >
          <reason>  Extra whitespace  </reason>
          <confidence>  0.5  </confidence>
        </signal>`
      expect(parse(response)?.type).toBe('need_turn')
    })
    printed('test_confidence_as_attribute', () => {
      const response = `<signal type="context_sufficient" confidence="0.95">
          <sources_found>5</sources_found>
        </signal>`
      expect(parse(response)?.confidence).toBe(0.95)
    })
    printed('test_confidence_out_of_range_clamped', () =>
      expect(parse(needTurn('1.5'))?.confidence).toBe(1),
    )
    printed('test_confidence_negative_clamped', () =>
      expect(parse(needTurn('-0.5'))?.confidence).toBe(0),
    )
    printed('test_missing_confidence_uses_default', () => {
      const response = `<signal type="need_turn">
          <reason>No confidence field</reason>
        </signal>`
      expect(parse(response)?.confidence).toBe(0.5)
    })
    printed('test_multiple_signals_takes_first', () => {
      const response = `First answer.
        ${needTurn('0.8', 'First signal')}
        More text.
        <signal type="context_sufficient">
          <sources_found>1</sources_found>
          <confidence>0.9</confidence>
        </signal>`
      const signal = parse(response)
      expect(signal?.type).toBe('need_turn')
      expect(signal?.fields['reason']).toContain('First signal')
    })
    printed('test_signal_inline_with_text', () => {
      const response =
        'Answer here <signal type="context_sufficient"><sources_found>1</sources_found><confidence>0.5</confidence></signal> more text'
      expect(parse(response)?.type).toBe('context_sufficient')
    })
    printed('test_case_insensitive_type', () => {
      const response = needTurn('0.5', 'Uppercase type').replace('need_turn', 'NEED_TURN')
      expect(parse(response)?.type).toBe('need_turn')
    })
    printed('test_timestamp_is_set', () => {
      // The engine has no clock: the time is that of the response, given as an argument.
      const at = Date.UTC(2026, 0, 8)
      expect(parseSelfSignal(needTurn('0.5'), options, { at })?.at).toBe(at)
    })
    printed('test_raw_xml_preserved', () => {
      const raw = parse(needTurn('0.5', 'Test reason'))?.raw_xml
      expect(raw).toContain('<signal type="need_turn">')
      expect(raw).toContain('</signal>')
    })
  })

  describe(`${preset}: TestFieldValueParsing`, () => {
    printed('test_integer_field', () => {
      const response = `<signal type="context_sufficient">
          <sources_found>42</sources_found>
          <confidence>0.5</confidence>
        </signal>`
      const signal = parse(response)!
      expect(signal.fields['sources_found']).toBe(42)
      expect(signal.parts[0]?.type).toBe('int')
    })
    printed('test_float_field', () => {
      const response = `<signal type="delegation_recommended">
          <reason>Test</reason>
          <scope>Test scope</scope>
          <estimated_tokens>1.5</estimated_tokens>
          <confidence>0.5</confidence>
        </signal>`
      expect(parse(response)?.type).toBe('delegation_recommended')
    })
    const list = (items: string, blocker: string) => `<signal type="stuck">
          <attempted>${items}</attempted>
          <blocker>${blocker}</blocker>
          <confidence>0.5</confidence>
        </signal>`
    printed('test_list_field', () => {
      const signal = parse(list('["tool1", "tool2", "tool3"]', 'Cannot proceed'))
      expect(signal?.fields['attempted']).toEqual(['tool1', 'tool2', 'tool3'])
    })
    printed('test_empty_list_field', () => expect(parse(list('[]', 'Nothing worked'))).toBeNull())
    printed('test_boolean_string_field', () => {
      const response = needTurn('0.5', 'Long enough').replace(
        '</signal>',
        '<success>true</success></signal>',
      )
      expect(parse(response)?.fields['success']).toBe(true)
    })
  })

  describe(`${preset}: TestStripSignal`, () => {
    printed('test_strip_removes_signal', () =>
      expect(strip(NEED_TURN)).not.toMatch(/<signal|<\/signal>|backup API/),
    )
    printed('test_strip_preserves_content', () =>
      expect(strip(NEED_TURN)).toContain('API endpoint'),
    )
    printed('test_strip_normalizes_whitespace', () => {
      const response = `Answer here.



        <signal type="need_turn">
          <reason>Test</reason>
        </signal>



        `
      expect(strip(response)).toBe('Answer here.')
    })
    printed('test_strip_handles_no_signal', () =>
      expect(strip('Just text, no signal.')).toBe('Just text, no signal.'),
    )
    printed('test_strip_handles_empty_response', () =>
      expect([strip(''), strip(null)]).toEqual(['', '']),
    )
  })

  describe(`${preset}: TestParseAndStrip`, () => {
    printed('test_returns_both_signal_and_clean', () => {
      const { signal, stripped } = readResponse(NEED_TURN, options)
      expect(signal?.type).toBe('need_turn')
      expect(stripped).not.toContain('<signal')
      expect(stripped).toContain('API endpoint')
    })
    printed('test_no_signal_returns_none_and_original', () => {
      const { signal, stripped } = readResponse('No signal here.', options)
      expect([signal, stripped]).toEqual([null, 'No signal here.'])
    })
    printed('[S12] the docstring’s example has no fields and is no signal', () =>
      expect(parse("Answer here. <signal type='stuck'>...</signal>")).toBeNull(),
    )
  })

  describe(`${preset}: TestPerformance`, () => {
    printed('test_large_response_parses_quickly', () => {
      const response = `${'x'.repeat(10_000)}

        <signal type="context_sufficient">
          <sources_found>5</sources_found>
          <confidence>0.9</confidence>
        </signal>`
      // By steps, not by a clock: see linear.test.ts.
      const meter = { steps: 0 }
      expect(parseSelfSignal(response, options, { meter })?.type).toBe('context_sufficient')
      expect(meter.steps).toBeLessThan(response.length * 12)
    })
  })
}
