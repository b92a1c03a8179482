import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TEXT_RULES, partsOfUserText, ruleFor, splitReminders, type Fallback } from './user-text.ts'

const person: Fallback = { kind: 'user', rule: null, always: false }
const said = (text: string): unknown =>
  partsOfUserText(text, person).map((part) => [part.kind, part.rule, part.text])

describe('texts under the user’s role', () => {
  it.each(TEXT_RULES.flatMap((row) => row.starts.map((start) => [start, row.kind, row.rule])))(
    '[I6] %s … is %s by rule %s',
    (start, kind, rule) => {
      const [part] = partsOfUserText(`\n  ${start} anything`, person)
      expect([part?.kind, part?.rule]).toEqual([kind, rule])
    },
  )

  it('[I118] the prompt of /init is not the person’s, a question about it is', () => {
    const sent =
      'Generate a file named AGENTS.md that serves as a contributor guide for this repository.'
    expect(said(sent)).toEqual([['injected', 'init-prompt', sent]])
    expect(ruleFor('Generate a file named AGENTS.md')).toBeNull()
    expect(ruleFor('You are an AI agent. Which one?')).toBeNull()
  })

  it('[I6] a wrapper in the middle of a text is quoted, not meant', () => {
    expect(ruleFor('what does <command-name> mean?')).toBeNull()
    expect(ruleFor('why is it [Request interrupted by user]')).toBeNull()
  })

  it('[I6] notes before the text are split off, the text stays a person’s', () => {
    expect(
      said('<ide_opened_file>a.md</ide_opened_file>\n<ide_selection>x</ide_selection>fix it'),
    ).toEqual([
      ['injected', 'ide-context', '<ide_opened_file>a.md</ide_opened_file>'],
      ['injected', 'ide-context', '<ide_selection>x</ide_selection>'],
      ['user', null, 'fix it'],
    ])
  })

  it('[I6] reminders are taken out wherever they stand', () => {
    const reminder = '<system-reminder>r</system-reminder>'
    expect(said(`before ${reminder} after`)).toEqual([
      ['user', null, 'before  after'],
      ['injected', 'system-reminder', reminder],
    ])
    expect(said(`${reminder}\nnow`)).toEqual([
      ['injected', 'system-reminder', reminder],
      ['user', null, 'now'],
    ])
    expect(said(reminder)).toEqual([['injected', 'system-reminder', reminder]])
  })

  it('[I6] a reminder that never ends is one injected text; a quoted opening is left alone', () => {
    expect(said('<system-reminder>cut')).toEqual([
      ['injected', 'system-reminder', '<system-reminder>cut'],
    ])
    expect(said('what is <system-reminder> for?')).toEqual([
      ['user', null, 'what is <system-reminder> for?'],
    ])
  })

  it('[I6] a compaction summary stays one whatever its text begins with', () => {
    const parts = partsOfUserText('<command-name>/x', {
      kind: 'summary',
      rule: 'flag',
      always: true,
    })
    expect(parts.map((part) => part.kind)).toEqual(['summary'])
  })

  it('[I6] splitting loses no character that is not blank', () => {
    const piece = fc.constantFrom('<system-reminder>', '</system-reminder>', 'a', ' ', '\n', 'é')
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
        (text) => {
          const { rest, reminders } = splitReminders(text)
          const solid = (value: string): string =>
            Array.from(value.replace(/\s/g, '')).toSorted().join('')
          expect(solid(rest + reminders.join(''))).toBe(solid(text))
        },
      ),
    )
  })
})
