import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { type AsyncData, failed, idle, loading, ready } from '../app/async-data.ts'
import { Answered, Empty } from './answered.tsx'
import { Button, IconButton, Switch } from './button.tsx'
import { ChangeTable, DataTable } from './data-table.tsx'
import { Field, Input, Select } from './form.tsx'

/** Rendered HTML of a component, without its icons. */
function html(node: ReactNode): string {
  return renderToStaticMarkup(node).replaceAll(/<svg[\s\S]*?<\/svg>/gu, '')
}

describe('data from the host', () => {
  const wrong = { what: 'It went wrong', where: 'here', do: 'try again' }
  const shown = (data: AsyncData<string>, failure?: 'instead' | 'above' | 'else') =>
    html(
      <Answered data={data} waiting="waiting" {...(failure ? { failure } : {})}>
        {(value) => `<${value}>`}
      </Answered>,
    )
  const before = ready('before')

  test('until something is known, what waits stands there', () => {
    expect(shown(idle)).toBe('waiting')
    expect(shown(loading())).toBe('waiting')
  })

  test('while the next answer is under way, the one before stays', () => {
    expect(shown(loading(before))).toContain('before')
    expect(shown(ready('now'))).toContain('now')
  })

  test('a failure takes the place of the value, stands above it, or gives way to it', () => {
    const data = failed<string>(wrong, before)
    expect(shown(data)).toContain('It went wrong')
    expect(shown(data)).not.toContain('before')
    expect(shown(data, 'above')).toMatch(/It went wrong.*before/u)
    expect(shown(data, 'else')).not.toContain('It went wrong')
  })

  test('a failure without a value before it is always said, and nothing waits', () => {
    for (const place of ['instead', 'above', 'else'] as const) {
      expect(shown(failed(wrong), place)).toContain('It went wrong')
      expect(shown(failed(wrong), place)).not.toContain('waiting')
    }
  })

  test('a failure can be tried again', () => {
    const again = html(
      <Answered data={failed<string>(wrong)} retry={() => undefined}>
        {(value) => value}
      </Answered>,
    )
    expect(again).toContain('Try again')
  })

  test('a value of something else than what is selected is pale and busy', () => {
    const of = (data: AsyncData<string>) =>
      html(
        <Answered data={data} stale={(value) => value !== 'this'} className="tab">
          {(value) => value}
        </Answered>,
      )
    expect(of(ready('that'))).toBe('<div class="tab stale" aria-busy="true">that</div>')
    expect(of(ready('this'))).toBe('<div class="tab" aria-busy="false">this</div>')
  })

  test('where there is nothing, one line or a title and what can be done', () => {
    expect(html(<Empty>No row.</Empty>)).toBe('<p class="list-empty quiet">No row.</p>')
    expect(
      html(
        <Empty of="dock" title="No draft">
          <p>Edit a signal.</p>
        </Empty>,
      ),
    ).toBe('<div class="dock-empty"><h2>No draft</h2><p>Edit a signal.</p></div>')
  })
})

describe('buttons', () => {
  const none = () => undefined

  test('a button never sends a form unless it says so', () => {
    expect(html(<Button>Go</Button>)).toBe('<button type="button" class="button">Go</button>')
    expect(html(<Button type="submit">Go</Button>)).toContain('type="submit"')
    expect(html(<Button kind="primary" small className="wide" />)).toContain(
      'class="button button-small button-primary wide"',
    )
    expect(html(<Button kind="link" small />)).toContain('class="link"')
  })

  test('a button with only an icon has a name, and a tooltip', () => {
    const Icon = () => null
    expect(html(<IconButton icon={Icon as never} name="Close" />)).toContain(
      'aria-label="Close" title="Close"',
    )
    expect(html(<IconButton icon={Icon as never} name="Next" title="Next (n)" />)).toContain(
      'aria-label="Next" title="Next (n)"',
    )
  })

  test('of alternatives one is pressed, and some may be off', () => {
    const of = html(
      <Switch
        label="Rows"
        options={[
          [true, 'All'],
          [false, 'Some', 'a few'],
        ]}
        value={true}
        isOff={(all) => !all}
        onChoose={none}
      />,
    )
    expect(of).toContain('role="group" aria-label="Rows"')
    expect(of).toContain('<button type="button" aria-pressed="true">All</button>')
    expect(of).toMatch(/<button type="button" aria-pressed="false" disabled="" title="a few">Some/u)
  })
})

describe('forms', () => {
  const none = () => undefined

  test('no choice is a value like any other', () => {
    const of = (value: string | null) =>
      html(
        <Select
          label="For"
          value={value}
          options={[null, 'coding']}
          words={(name) => name ?? 'all domains'}
          onChoose={none}
        />,
      )
    expect(of(null)).toContain('<option value="" selected="">all domains</option>')
    expect(of('coding')).toContain('<option value="coding" selected="">coding</option>')
    expect(of(null)).toMatch(/^<label class="inline-field"><span>For<\/span>/u)
  })

  test('a field names its control and says what is wrong with it', () => {
    const of = (error?: string | null) =>
      html(
        <Field label="Model" {...(error === undefined ? {} : { error })}>
          <Input value="" onText={none} />
        </Field>,
      )
    const wrong = of('It is missing.')
    const [, id = ''] = /for="([^"]+)"/u.exec(wrong) ?? []
    expect(wrong).toContain(`id="${id}" aria-invalid="true" aria-describedby="${id}-wrong"`)
    expect(wrong).toContain(`<p id="${id}-wrong" class="text-s bad" role="alert">▲ It is missing.`)
    expect(of(null)).toContain('aria-invalid="false"')
    expect(of()).not.toContain('aria-invalid')
  })
})

describe('small tables', () => {
  const ROWS = [
    { name: 'a', value: 1 },
    { name: 'b', value: 2 },
  ]

  test('columns are data; without a head there is no line of heads', () => {
    const plain = html(
      <DataTable
        rows={ROWS}
        keyOf={({ name }) => name}
        columns={[
          { isName: true, cell: ({ name }) => name },
          { num: true, cell: ({ value }) => value },
        ]}
      />,
    )
    expect(plain).not.toContain('<thead>')
    expect(plain).toContain('<tr><th scope="row">a</th><td class="num">1</td></tr>')
  })

  test('a column that can be sorted by is a button, and says the order', () => {
    const sorted = html(
      <DataTable
        rows={ROWS}
        keyOf={({ name }) => name}
        sort={{ column: 'value', down: true }}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Value', sort: 'value', cell: ({ value }) => value },
        ]}
      />,
    )
    expect(sorted).toContain('<th scope="col">Name</th>')
    expect(sorted).toContain(
      '<th scope="col" aria-sort="descending"><button type="button">Value ↓</button></th>',
    )
  })

  test('a cell over several columns leaves those out', () => {
    const wide = html(
      <DataTable
        rows={ROWS}
        keyOf={({ name }) => name}
        columns={[
          { span: ({ value }) => (value === 1 ? 2 : 1), cell: ({ name }) => name },
          { span: ({ value }) => (value === 1 ? 0 : 1), cell: ({ value }) => value },
        ]}
      />,
    )
    expect(wide).toContain('<td colSpan="2">a</td></tr>')
    expect(wide).toContain('<td colSpan="1">b</td><td colSpan="1">2</td>')
  })

  test('what differs between before and after stands out', () => {
    const table = html(
      <ChangeTable
        rows={[
          ['type', 'code', 'web'],
          ['segment', 'x', 'x'],
        ]}
      />,
    )
    expect(table).toContain('<td>code</td><td class="changed">web</td>')
    expect(table).toContain('<td>x</td><td>x</td>')
  })
})
