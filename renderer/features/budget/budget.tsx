import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import { Section } from '../../ui/bits.tsx'
import { count, counted } from '../../ui/format.ts'
import { againstReal, ESTIMATOR_WORDS, estimatorsOf, leftOut } from './budget-parts.ts'
import { BudgetBarView } from './budget-view.tsx'
import { useSegmentColor } from '../prompt/segment-color.ts'
import { MessageLine, OfMessage } from '../prompt/of-message.tsx'
import './budget.css'

const REAL = 'o200k_base'

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

/** What would fit at N. */
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
    <table className="table fields whole">
      <tbody>
        {estimatorsOf(prompt.sizes).map((name) => {
          const size = prompt.sizes[name] ?? 0
          return (
            <tr key={name}>
              <th scope="row">{ESTIMATOR_WORDS[name] ?? name}</th>
              <td className="num">{count(size)}</td>
              <td className="quiet">
                {name === REAL
                  ? 'the real size'
                  : real === undefined
                    ? 'a guess'
                    : `${againstReal(size, real)} the tokenizer`}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** How far the registry's estimates are from the real sizes, in words. */
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
    <table className="table sizes">
      <thead>
        <tr>
          <th scope="col">segment</th>
          <th scope="col" title="What the registry says">
            registry
          </th>
          {names.map((name) => (
            <th key={name} scope="col" title={ESTIMATOR_WORDS[name] ?? name}>
              {SHORT[name] ?? name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ segment, index }) => (
          <tr key={index} className={segment.span === null ? 'quiet' : undefined}>
            <th scope="row">
              <span className="row gap-7">
                <i
                  className="segment-dot"
                  style={{ background: segment.span === null ? 'none' : color(index) }}
                />
                <span className="truncate" title={segment.id}>
                  {segment.id}
                </span>
              </span>
            </th>
            <td className="num">{segment.origin === 'added' ? '–' : count(segment.estimate)}</td>
            {names.map((name) => (
              <td key={name} className="num">
                {count(segment.sizes?.[name] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const SHORT: Readonly<Record<string, string>> = {
  chars4: 'chars÷4',
  words13: 'words×1.3',
  o200k_base: 'o200k',
}
