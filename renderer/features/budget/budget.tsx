import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { count, counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { MessageLine, OfMessage } from '../../views/prompt/of-message.tsx'
import { useSegmentColor } from '../../views/prompt/segment-color.ts'
import {
  ESTIMATOR_WORDS,
  REAL,
  againstReal,
  estimatorsOf,
  leftOut,
} from '../../views/budget/budget-parts.ts'
import { BudgetBarView } from '../../views/budget/budget-bar.tsx'

/** Tokens of the composed prompt: against the budget, and by every way of counting. */
export function BudgetTab() {
  return (
    <OfMessage>
      {(shown) => {
        const { prompt, error } = shown.prompt
        return (
          <>
            <div className="verdict">
              <MessageLine seq={shown.seq} />
              {prompt ? (
                <BudgetBarView prompt={prompt} />
              ) : (
                <p className="verdict-reason">{error?.what ?? 'There is no prompt to count.'}</p>
              )}
            </div>
            {prompt && <Counted prompt={prompt} />}
          </>
        )
      }}
    </OfMessage>
  )
}

interface Props {
  readonly prompt: ComposedPrompt
}

function Counted({ prompt }: Props) {
  return (
    <>
      <LeftOut prompt={prompt} />
      <Section title="Whole prompt" aside="separators included">
        <Whole prompt={prompt} />
      </Section>
      <Section title="By segment" aside="tokens">
        <BySegment prompt={prompt} />
        <Registry prompt={prompt} />
      </Section>
    </>
  )
}

/** Segments that were left out, and the number of tokens at which each would fit. */
function LeftOut({ prompt }: Props) {
  const out = leftOut(prompt)
  if (out.length === 0) return null
  return (
    <Section title="Left out for room" aside={counted(out.length, 'segment')}>
      <ul className="far">
        {out.map(({ id, admittedFrom }) => (
          <li key={id}>
            <span className="truncate">{id}</span>
            <span className="num quiet">
              {admittedFrom === null
                ? 'never considered'
                : `fits at ${counted(admittedFrom, 'token')}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The whole text by every estimator, and how far each is from the real tokenizer. */
function Whole({ prompt }: Props) {
  const real = prompt.sizes[REAL]
  return (
    <DataTable
      className="table fields whole"
      rows={estimatorsOf(prompt.sizes)}
      keyOf={(name) => name}
      columns={[
        { isName: true, cell: (name) => ESTIMATOR_WORDS[name] ?? name },
        { num: true, cell: (name) => count(prompt.sizes[name] ?? 0) },
        {
          className: 'quiet',
          cell: (name) => {
            if (name === REAL) return 'the real size'
            if (real === undefined) return 'a guess'
            return `${againstReal(prompt.sizes[name] ?? 0, real)} the tokenizer`
          },
        },
      ]}
    />
  )
}

/** Distance of the registry's estimates from the real sizes, in words. */
function Registry({ prompt }: Props) {
  const rows = prompt.segments.filter(({ origin, span }) => origin !== 'added' && span !== null)
  const said = rows.reduce((sum, { estimate }) => sum + estimate, 0)
  const real = rows.reduce((sum, { sizes }) => sum + (sizes?.[REAL] ?? 0), 0)
  if (real === 0) return null
  return (
    <p className="margin">
      The registry says {count(said)} for what the tokenizer counts as {count(real)}:{' '}
      <strong>{againstReal(said, real)} the real size</strong>.
    </p>
  )
}

/** Every segment that was rendered: the registry's estimate beside each way of counting. */
function BySegment({ prompt }: Props) {
  const color = useSegmentColor()
  const names = estimatorsOf(prompt.sizes)
  const rows = prompt.segments
    .map((segment, index) => ({ segment, index }))
    .filter(({ segment }) => segment.sizes !== null)
  return (
    <DataTable
      className="table sizes"
      rows={rows}
      keyOf={({ index }) => index}
      rowProps={({ segment }) => (segment.span === null ? { className: 'quiet' } : {})}
      columns={[
        {
          head: 'segment',
          isName: true,
          cell: ({ segment: { id, span }, index }) => (
            <span className="row gap-7">
              <i
                className="segment-dot"
                style={{ background: span === null ? 'none' : color(index) }}
              />
              <span className="truncate" title={id}>
                {id}
              </span>
            </span>
          ),
        },
        {
          head: 'registry',
          about: 'What the registry says',
          num: true,
          cell: ({ segment: { origin, estimate } }) => (origin === 'added' ? '–' : count(estimate)),
        },
        ...names.map((name): Column<(typeof rows)[number]> => ({
          head: SHORT[name] ?? name,
          about: ESTIMATOR_WORDS[name] ?? name,
          num: true,
          cell: ({ segment }) => count(segment.sizes?.[name] ?? 0),
        })),
      ]}
    />
  )
}

const SHORT: Readonly<Record<string, string>> = {
  chars4: 'chars÷4',
  words13: 'words×1.3',
  o200k_base: 'o200k',
}
