import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  TEXT_RULES,
  partsOfUserText,
  ruleFor,
  splitReminders,
  takeUnknown,
  type Fallback,
} from './user-text.ts'

const person: Fallback = { kind: 'user', rule: null, always: false }
const said = (text: string): unknown =>
  partsOfUserText(text, person).map((part) => [part.kind, part.rule, part.text])

describe('texts under the user’s role', () => {
  it.each(TEXT_RULES.flatMap((row) => row.starts.map((start) => [start, row.kind, row.rule])))(
    '[I6] %s … is %s by rule %s',
    (start, kind, rule) => {
      const isWhole = TEXT_RULES.find((row) => row.rule === rule)?.isWhole === true
      const [part] = partsOfUserText(`\n  ${start}${isWhole ? '\n' : ' anything'}`, person)
      expect([part?.kind, part?.rule]).toEqual([kind, rule])
    },
  )

  it('[I170] messages of other sessions, channels and schedules are notifications', () => {
    for (const text of [
      'Another Claude session sent a message:\n<teammate-message teammate_id="b">done</teammate-message>',
      'A message arrived from plugin:chat while you were working:\nplease deploy',
      '<channel source="plugin:chat" user="ann">\nplease deploy\n</channel>',
      '<scheduled-task name="nightly">\nRun the audit\n</scheduled-task>',
    ])
      expect([text, ruleFor(text)?.kind]).toEqual([text, 'notification'])
    // RSS, and a question about a channel.
    for (const text of [
      '<channel>\n<title>News</title>\n</channel>',
      'A message arrived from the bank, what now?',
      'Another Claude session broke my build',
    ])
      expect([text, ruleFor(text)]).toEqual([text, null])
  })

  it('[I6] plan mode is a note only when the whole message is that', () => {
    expect(ruleFor('Entered plan mode. Why?')).toBeNull()
    expect(ruleFor('\nEntered plan mode.\n')?.kind).toBe('injected')
  })

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

  it.each([
    '<deploy-gate>\nblocked by the policy\n</deploy-gate>',
    '<remote_build id="7">\nfailed\n</remote_build>',
    '<session-event>done</session-event>',
    '<context>\nthe user is at work\n</context>',
    '<skill_context>\n<name>backend</name>\n</skill_context>',
    ' \n<background-shell-notification task="a">\n<status>done</status>\n</background-shell-notification>\n',
  ])('[I172] an unknown wrapper around the whole message is injected and noted: %j', (text) => {
    takeUnknown()
    expect(said(text)).toMatchObject([['injected', 'unknown-wrapper', text]])
    expect(takeUnknown()).toHaveLength(1)
    expect(takeUnknown()).toEqual([])
  })

  it.each([
    '<div>hello</div>',
    '<section class="a">\nhello\n</section>',
    '<details>\nhello\n</details>',
    '<context>what is this tag?</context>',
    '<plugin>\n  <version>1</version>\n</plugin>',
    '<instructions>\nfix the bug\n</instructions>',
    '<MyButton onClick={save}>Save</MyButton>',
    '<my-button>Click me</my-button>',
    '<my-card>\n  <p>hello</p>\n</my-card>',
    '<app-root>\n<router-outlet></router-outlet>\n</app-root>',
    '<user-card class="wide">\nAnn\n</user-card>',
    '<agent-list>\n  <li>Ann</li>\n</agent-list>',
    '<session-view [open]="yes">text</session-view>',
    '<shopping_cart>\n  <item_name>pen</item_name>\n</shopping_cart>',
    '<font-face>\nx\n</font-face>',
    '<?xml version="1.0"?>\n<system_state>\nx\n</system_state>',
    '<note><to>Ann</to><body>hi</body></note>',
    '<user_query>\nfix the bug\n</user_query>',
    '<pr_description>\nfix the bug\n</pr_description>',
    'look: <deploy-gate>\nblocked\n</deploy-gate>',
    '<deploy-gate>\nblocked\n</deploy-gate>\nwhat does that mean?',
    '<deploy-gate>\na\n</deploy-gate>\n<deploy-gate>\nb\n</deploy-gate>',
    '<deploy-gate>\nit never ends',
  ])('[I172] what a user pastes or asks is the user’s: %j', (text) => {
    takeUnknown()
    expect(said(text)).toEqual([['user', null, text]])
    expect(takeUnknown()).toEqual([])
  })

  it('[I171] prefixes of a harness are the user’s words where the record says that the user typed them', () => {
    const typed: Fallback = { ...person, isTyped: true }
    const kinds = (text: string) => partsOfUserText(text, typed).map((part) => part.kind)
    expect(kinds('Stop hook feedback:\nwhat is that?')).toEqual(['user'])
    expect(kinds('<deploy-gate>\nblocked\n</deploy-gate>')).toEqual(['user'])
    expect(kinds('<command-name>/clear</command-name>')).toEqual(['command'])
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
