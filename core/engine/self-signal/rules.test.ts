import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { casesOf } from '../../../fixtures/cases.ts'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import {
  SelfSignal,
  SelfSignalDiagnostic,
  SelfSignalOptions,
  type DiagnosticCode,
} from '../schema/self-signal.ts'
import { SELF_SIGNAL_OPTIONS } from './options.ts'
import { maskSelfSignals, parseSelfSignal, readResponse, stripSelfSignal } from './response.ts'
import { advance, heuristicFallback, initialSelfSignalState } from './state.ts'

const recommended = promptPreset('recommended').selfSignal
const literal = promptPreset('literal').selfSignal
const field = promptPreset('field').selfSignal

function turn(fields: string, tag = 'type="need_turn"'): string {
  return `<signal ${tag}>${fields}</signal>`
}
const GOOD = turn('<reason>still reading the parser</reason><confidence>0.8</confidence>')

function codes(text: string, options = recommended): readonly DiagnosticCode[] {
  return readResponse(text, options).diagnostics.map((found) => found.code)
}

describe('options', () => {
  test('recommended is the value that each option documents', () => {
    const values = Object.entries(SELF_SIGNAL_OPTIONS).map(([name, { value }]) => [name, value])
    expect(Object.fromEntries(values)).toEqual(recommended)
    expect(Object.keys(SELF_SIGNAL_OPTIONS).sort()).toEqual(
      Object.keys(SelfSignalOptions.shape).sort(),
    )
  })

  /** Each option on its own, off against on, on an input that only it decides. */
  const cases: ReadonlyArray<
    readonly [
      keyof SelfSignalOptions,
      string,
      (text: string, options: SelfSignalOptions) => unknown,
    ]
  > = [
    ['tolerantOpenTag', turn('<reason>long enough</reason>', 'a="b" type = "need_turn" '), type],
    ['lenientLengths', turn('<reason>Hm</reason>'), type],
    [
      'dropBadOptional',
      turn('<reason>long enough</reason><expected_turns>11</expected_turns>'),
      type,
    ],
    ['textStaysText', turn('<reason>40404</reason>'), type],
    [
      'lenientLists',
      turn('<attempted>a, b</attempted><blocker>no way on</blocker>', 'type="stuck"'),
      type,
    ],
    ['firstFieldWins', turn('<reason>first reason</reason><reason>second one</reason>'), reason],
    ['confidenceInTagOnly', turn('<reason>say confidence="0.3" here</reason>'), confidence],
    [
      'plainConfidence',
      turn('<reason>long enough</reason><confidence>nan</confidence>'),
      confidence,
    ],
    ['skipFences', `\`\`\`\n${turn('<reason>in the fence</reason>')}\n\`\`\`\n${GOOD}`, reason],
    ['tidySeamOnly', `a\n\n\n\nb ${GOOD}`, stripSelfSignal],
    ['hideUnfinished', 'text\n<signal type="need', stripSelfSignal],
  ]
  function type(text: string, options: SelfSignalOptions): unknown {
    return parseSelfSignal(text, options)?.type
  }
  function reason(text: string, options: SelfSignalOptions): unknown {
    return parseSelfSignal(text, options)?.fields['reason']
  }
  function confidence(text: string, options: SelfSignalOptions): unknown {
    return parseSelfSignal(text, options)?.confidence
  }
  test.each(cases)('%s alone changes the answer', (name, text, read) => {
    const off = read(text, { ...recommended, [name]: false })
    const on = read(text, recommended)
    expect(on).not.toEqual(off)
    expect(on ?? '').not.toBe('')
  })
})

describe('[S11] an unfinished block', () => {
  test.each([
    ['text\n<signal type="need', 'text'],
    ['text\n<signal type="need_turn">\n <reason>cut off\nin the middle', 'text'],
    ['text\n<signal type="need_turn">\n <reason>why</reason>\n <conf', 'text'],
    [
      'text\n<signal type="need_turn">\n <reason>why</reason>\n\nThe answer.',
      'text\n\nThe answer.',
    ],
    ['<signal type="stuck">\n\nThe answer.\nAnd more.', 'The answer.\nAnd more.'],
    ['<signal type="stuck"/>\nThe answer.', 'The answer.'],
    ['<signal type="stuck"/> The answer.', 'The answer.'],
    ['<signal type="stuck"/>\n<reason>why</reason>\nThe answer.', 'The answer.'],
    ['text\n<signal\n  type="stuck"\nThe answer.', 'text\nThe answer.'],
    ['<signal type="stuck">\n<attempted>\na\nb\n</attempted>\nThe answer.', 'The answer.'],
  ])('is hidden, prose behind it never: %j', (text, left) => {
    expect(stripSelfSignal(text, recommended)).toBe(left)
    expect(parseSelfSignal(text, recommended)).toBeNull()
  })
  test('a mask keeps every place', () => {
    const text = `a\n${GOOD}\nb`
    const masked = maskSelfSignals(text, recommended)
    expect(masked).toHaveLength(text.length)
    expect(masked.replace(/\s+/gu, ' ')).toBe('a b')
    expect(masked.lastIndexOf('b')).toBe(text.lastIndexOf('b'))
  })
})

describe('[L14] diagnostics', () => {
  test.each([
    ['in_fence', `\`\`\`xml\n${GOOD}\n\`\`\`\n\n${GOOD}`],
    ['in_fence', `text\n\n\`\`\`xml\n${GOOD}\n\`\`\``],
    ['several', `${GOOD}\n${GOOD}`],
    ['unfinished', 'text\n<signal type="need_turn">\n <reason>cut'],
    ['unknown_type', turn('', 'type="bored"')],
    ['invalid_fields', turn('')],
    ['too_deep', turn(`<reason>long enough</reason><x>${'['.repeat(2000)}${']'.repeat(2000)}</x>`)],
    ['dropped_field', turn('<reason>long enough</reason><expected_turns>99</expected_turns>')],
    ['short_reason', turn('<reason>Hm</reason>')],
    ['long_reason', turn(`<reason>${'x'.repeat(501)}</reason>`)],
    ['duplicate_field', turn('<reason>long enough</reason><reason>another one</reason>')],
    [
      'duplicate_field',
      turn('<reason>long enough</reason><confidence>1</confidence><confidence>0</confidence>'),
    ],
    ['confidence_defaulted', turn('<reason>long enough</reason>')],
    ['confidence_clamped', turn('<reason>long enough</reason><confidence>1.5</confidence>')],
  ] as const)('%s: %#', (code, text) => expect(codes(text)).toContain(code))

  test('a clean self-signal has none, neither has text without one', () => {
    expect(codes(`Answer.\n\n${GOOD}`)).toEqual([])
    expect(codes('See `<signal>` in the docs.')).toEqual([])
  })

  test('not_matched: literal says why a block that people would accept gives nothing', () => {
    const text = turn('<reason>long enough</reason>', 'type="need_turn" confidence="0.9"')
    expect(codes(text, literal)).toEqual(['not_matched'])
  })

  test('the span of a diagnostic is the text it speaks of', () => {
    const text = `Answer. ${turn('<reason>Hm</reason><expected_turns>99</expected_turns>')}`
    const shown = readResponse(text, recommended).diagnostics.map(({ code, span }) => [
      code,
      text.slice(...span),
    ])
    expect(shown).toEqual([
      ['dropped_field', '<expected_turns>99</expected_turns>'],
      ['short_reason', 'Hm'],
      ['confidence_defaulted', '<signal type="need_turn">'],
    ])
  })
})

describe('rules', () => {
  test('[S9] a fence that holds nothing but the self-signal is stripped with it', () => {
    expect(stripSelfSignal(`Answer.\n\n\`\`\`xml\n${GOOD}\n\`\`\`\n`, recommended)).toBe('Answer.')
    const kept = stripSelfSignal(`Answer.\n\n\`\`\`xml\nnote\n${GOOD}\n\`\`\`\n`, recommended)
    expect(kept).toBe('Answer.\n\n```xml\nnote\n\n```')
  })
  test('[S10] code blocks and indentation stay as they were', () => {
    const text = `    indented\n\n\n\n    more\n\n${GOOD}`
    expect(stripSelfSignal(text, recommended)).toBe('    indented\n\n\n\n    more')
    expect(stripSelfSignal('  as it was \n\n\n', recommended)).toBe('  as it was \n\n\n')
  })
  test('[S13] a self-signal is frozen all the way down', () => {
    const signal = parseSelfSignal(
      turn('<attempted>["a"]</attempted><blocker>no way on</blocker>', 'type="stuck"'),
      recommended,
    )
    expect(Object.isFrozen(signal)).toBe(true)
    expect(Object.isFrozen(signal?.fields['attempted'])).toBe(true)
  })
  test('[S15] a field nested 100,000 deep is null, not an error', () => {
    const deep = turn(
      `<reason>long enough</reason><x>${'['.repeat(100_000)}${']'.repeat(100_000)}</x>`,
    )
    for (const options of [literal, recommended]) expect(parseSelfSignal(deep, options)).toBeNull()
  })
  test('[S16] entities stay as written', () =>
    expect(parseSelfSignal(turn('<reason>a &amp; b &lt;c</reason>'), recommended)?.fields).toEqual({
      reason: 'a &amp; b &lt;c',
    }))
  test('[S17] only the first block is parsed, all are stripped', () => {
    const text = `a ${turn('', 'type="bored"')} b ${GOOD} c`
    expect(parseSelfSignal(text, recommended)).toBeNull()
    expect(stripSelfSignal(text, recommended)).toBe('a b c')
  })
  test('a field named like a property of objects is a field', () => {
    const signal = parseSelfSignal(
      turn('<reason>long enough</reason><__proto__>1</__proto__><constructor>2</constructor>'),
      recommended,
    )
    expect(Object.entries(signal?.fields ?? {})).toContainEqual(['__proto__', 1])
    expect(Object.getPrototypeOf(signal?.fields)).toBe(Object.prototype)
  })
})

describe('[L15] [L16] state and fallback', () => {
  const facts = { toolCalls: 0, text: 'something' }
  const fold = (responses: readonly string[]) => {
    let state = initialSelfSignalState
    for (const response of responses) state = advance(state, parseSelfSignal(response, field))
    return state
  }
  const decide = (responses: readonly string[], more = facts) =>
    heuristicFallback(fold(responses), parseSelfSignal(responses.at(-1) ?? '', field), field, more)

  test('thresholds: 3 by default, 5 in field', () => {
    expect([literal.stuckAfter, recommended.stuckAfter, field.stuckAfter]).toEqual([3, 3, 5])
    expect([literal, recommended, field].map((options) => options.heuristicFallback)).toEqual([
      false,
      false,
      true,
    ])
  })
  test.each([
    ['null', 'a clear self-signal', [GOOD], facts],
    ['null', 'two silent responses', [GOOD, 'a', 'b'], facts],
    ['continue', 'silence of an agent that never emits', ['a', 'b', 'c'], facts],
    ['continue', 'silence with tool calls', [GOOD, 'a', 'b', 'c'], { ...facts, toolCalls: 2 }],
    ['retry_with_hint', 'silence of an agent that used to emit', [GOOD, 'a', 'b', 'c'], facts],
    ['force_response', 'silence without text', [GOOD, 'a', 'b', ''], { ...facts, text: '' }],
    ['force_response', 'silence that goes on', [GOOD, 'a', 'b', 'c', 'd', 'e', 'f'], facts],
    ['retry_with_hint', 'a loop', Array.from({ length: 5 }, () => GOOD), facts],
    ['escalate', 'a loop that goes on', Array.from({ length: 10 }, () => GOOD), facts],
    ['continue', 'doubt on the way', [GOOD.replace('0.8', '0.2')], facts],
    [
      'retry_with_hint',
      'doubt at the end',
      [turn('<sources_found>1</sources_found>', 'type="context_sufficient" confidence="0.1"')],
      facts,
    ],
    [
      'escalate',
      'stuck',
      [turn('<attempted>["a"]</attempted><blocker>no way on</blocker>', 'type="stuck"')],
      facts,
    ],
    [
      'retry_with_hint',
      'stuck with a suggestion',
      [
        turn(
          '<attempted>["a"]</attempted><blocker>no way on</blocker><suggestions>["ask Ann"]</suggestions>',
          'type="stuck"',
        ),
      ],
      facts,
    ],
  ] as const)('%s: %s', (action, _name, responses, given) => {
    const fallback = decide(responses, given)
    expect(String(fallback?.action ?? null)).toBe(action)
    if (fallback !== null) expect(fallback.reason.length).toBeGreaterThan(10)
  })
})

/** Text made of the pieces that the scanner looks for, so that shrinking finds short counterexamples. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<signal',
        '<SIGNAL',
        '<ſıgnal',
        ' type=',
        '"',
        "'",
        'need_turn',
        'stuck',
        '>',
        '/>',
        '</signal>',
        '<reason>',
        '</reason>',
        '<confidence>',
        '</confidence>',
        '0.5',
        '[',
        ']',
        '```',
        '~~~~',
        '\n',
        '\n\n\n',
        '   ',
        'word',
        '=',
        'confidence="0.4"',
        '\u{feff}',
        '\u0085',
        '\ud800',
        '🙂',
        GOOD,
      ),
      fc.string({ unit: anyCharacter }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

describe('properties', () => {
  test('any text is read without an error, into data of the schema with spans inside the text', () =>
    fc.assert(
      fc.property(soup, fc.constantFrom(literal, recommended, field), (text, options) => {
        const { signal, diagnostics, stripped } = readResponse(text, options)
        if (signal !== null) {
          SelfSignal.parse(signal)
          expect(text.slice(...signal.span)).toBe(signal.raw_xml)
        }
        for (const found of diagnostics) {
          SelfSignalDiagnostic.parse(found)
          const [start, end] = found.span
          expect(start).toBeLessThanOrEqual(end)
          expect(end).toBeLessThanOrEqual(text.length)
        }
        expect(stripped.length).toBeLessThanOrEqual(text.length + 2)
      }),
      casesOf('self-signal: any text'),
    ))

  test('[S10] text that mentions no self-signal is unchanged under recommended', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        fc.pre(!/<s/i.test(text))
        expect(stripSelfSignal(text, recommended)).toBe(text)
      }),
    ))

  test('an emitted self-signal is found and gone, whatever stands around it', () => {
    const prose = fc.string().filter((text) => !/[<`~]/.test(text))
    fc.assert(
      fc.property(prose, prose, (before, after) => {
        const { signal, stripped } = readResponse(`${before}\n\n${GOOD}\n\n${after}`, recommended)
        expect(signal?.raw_xml).toBe(GOOD)
        expect(stripped).not.toContain('<signal')
        // Once more changes nothing: without a self-signal the text stays.
        expect(stripSelfSignal(stripped, recommended)).toBe(stripped)
      }),
    )
  })

  test('literal: stripping a response without nested blocks twice is stripping it once', () => {
    const prose = fc.string({ unit: anyCharacter }).filter((text) => !/[<>]/.test(text))
    fc.assert(
      fc.property(fc.array(fc.oneof(prose, fc.constant(GOOD))), (parts) => {
        const once = stripSelfSignal(parts.join('\n'), literal)
        expect(stripSelfSignal(once, literal)).toBe(once)
      }),
    )
  })

  test('state: a fold of any responses keeps its counters apart', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('', 'text', GOOD, turn('<reason>other one</reason>'))),
        (responses) => {
          let state = initialSelfSignalState
          for (const response of responses)
            state = advance(state, parseSelfSignal(response, recommended))
          expect(state.consecutiveSameReason * state.turnsWithoutSignal).toBe(0)
          expect(state.emitted).toBe(
            responses.filter((response) => response.includes('<signal')).length,
          )
        },
      ),
    ))
})
