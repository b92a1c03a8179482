import { useState } from 'react'
import { NOT_IN_FILE, shareText } from '../../../core/engine/schema/context.ts'
import type { ShownCall, ShownPart } from '../../../core/wire/context.ts'
import { selectSeq } from '../../app/select.ts'
import { Empty } from '../../ui/answered.tsx'
import { Pressable, Switch } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { count, counted } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { Fact, Section } from '../../ui/parts.tsx'

/** The answer of the host about one event. */
export interface ContextAnswer {
  readonly calls: number
  readonly isRecorded: boolean
  readonly tokenizer: string
  readonly call: ShownCall | null
}

type Order = 'size' | 'order'
const ORDERS = [
  ['size', 'By size'],
  ['order', 'In order'],
] as const

interface Props {
  readonly answer: ContextAnswer
  /** The turn of an event, from 1: the last one that begins at it or before. Null before the first. */
  readonly turnOf: (seq: number) => number | null
}

/** [X12] The figures of a call, then its parts. */
export function ContextView({ answer, turnOf }: Props) {
  const { call, calls, isRecorded, tokenizer } = answer
  const [order, setOrder] = useState<Order>('size')
  if (call === null)
    return (
      <Empty of="inspector" title="No model call">
        <p>No answer of a model is recorded in this session.</p>
      </Empty>
    )
  const rows = rowsOf(call, order)
  return (
    <>
      <h2 className="turn-name context-title">
        Call {count(call.nth + 1)} of {count(calls)}
      </h2>
      <Figures call={call} />
      {call.cut && <Cut call={call} />}
      <Section title="In the context" aside={counted(rows.length, 'part')}>
        <div className="flex center-items">
          <Switch label="Order of the parts" options={ORDERS} value={order} onChoose={setOrder} />
        </div>
        <DataTable
          className="context-parts full-width"
          label="Parts of the context"
          columns={[TOKENS, PART, turnColumn(turnOf), NEW]}
          rows={rows}
          keyOf={(_, at) => at}
        />
        <p className="context-note text-s quiet">
          {isRecorded
            ? `The total is recorded. Parts are estimated by ${tokenizer} and scaled to the recorded growth.`
            : `The file records no usage, so all figures are estimates by ${tokenizer}.`}
        </p>
      </Section>
    </>
  )
}

function rowsOf(call: ShownCall, order: Order): readonly ShownPart[] {
  const { parts, rest, left } = call
  const other = (label: string, tokens: number): ShownPart => {
    return { seq: null, label, tokens, added: false, source: null, cause: null }
  }
  const rows = [
    ...(rest > 0 ? [other(NOT_IN_FILE, rest)] : []),
    ...parts,
    ...(left.parts > 0 ? [other(counted(left.parts, 'smaller part'), left.tokens)] : []),
  ]
  return order === 'order' ? rows : rows.toSorted((a, b) => b.tokens - a.tokens)
}

function Figures({ call }: { readonly call: ShownCall }) {
  const { tokens, recorded, window, model } = call
  return (
    <dl className="context-figures text-s gap-16 flex wrap pad-16">
      <Fact name="in the context" look="num">
        {counted(tokens, 'token')}
      </Fact>
      {window !== null && (
        <Fact name="of the window" look="num">
          {shareText(tokens, window)} of {count(window)}
        </Fact>
      )}
      {recorded && (
        <>
          <Fact name="from the cache" look="num">
            {count(recorded.cacheRead)}
          </Fact>
          <Fact name="written to the cache" look="num">
            {count(recorded.cacheWrite)}
          </Fact>
          <Fact name="output" look="num">
            {count(recorded.output)}
          </Fact>
        </>
      )}
      {model !== null && (
        <Fact name="model">
          <Name text={model} />
        </Fact>
      )}
    </dl>
  )
}

const REASONS = {
  compacted: 'The conversation was compacted before this call',
  cleared: 'The conversation was cleared before this call',
  shrank: 'The recorded tokens fell before this call, and the file does not say why',
} as const

function Cut({ call: { cut, tokens } }: { readonly call: ShownCall }) {
  if (cut === null) return null
  const left = cut.events === 0 ? '' : `: ${counted(cut.events, 'event')} left the context`
  const fall =
    cut.before === null ? '' : `, ${count(cut.before)} tokens before, ${count(tokens)} after`
  return <p className="warning">{`${REASONS[cut.reason]}${left}${fall}.`}</p>
}

const TOKENS: Column<ShownPart> = {
  head: 'Tokens',
  num: true,
  className: 'text-end',
  cell: ({ tokens }) => count(tokens),
}
const PART: Column<ShownPart> = { head: 'Part', cell: (part) => <PartCell part={part} /> }
const NEW: Column<ShownPart> = {
  head: 'New',
  about: 'Not in the context of the call before',
  cell: ({ added }) => (added ? 'new' : ''),
}

function turnColumn(turnOf: Props['turnOf']): Column<ShownPart> {
  return {
    head: 'Turn',
    num: true,
    className: 'text-end',
    cell: ({ seq }) => (seq === null ? '' : (turnOf(seq) ?? '')),
  }
}

function PartCell({ part }: { readonly part: ShownPart }) {
  const { seq, label, source, cause } = part
  const words = <Name text={label} />
  return (
    <>
      {seq === null ? (
        <span className="quiet">{words}</span>
      ) : (
        <Pressable className="accent underlined" onClick={() => selectSeq(seq)}>
          {words}
        </Pressable>
      )}
      {source !== null && source.path !== null && (
        <span className="context-path text-xs quiet">
          <Name text={source.path} />
        </span>
      )}
      {source !== null && source.globs !== null && (
        <span className="context-path text-xs quiet">
          for <Name text={source.globs.join(' ')} />
        </span>
      )}
      {cause !== null && cause.seq !== null && <Cause seq={cause.seq} name={cause.name} />}
    </>
  )
}

/** The tool call that brought a text in; a click selects it. */
function Cause({ seq, name }: { readonly seq: number; readonly name: string | null }) {
  return (
    <span className="context-path text-xs quiet">
      after{' '}
      <Pressable className="accent underlined" onClick={() => selectSeq(seq)}>
        <Name text={name ?? 'a call'} />
      </Pressable>
    </span>
  )
}
