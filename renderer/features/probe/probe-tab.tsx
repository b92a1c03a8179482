import { useState } from 'react'
import type { ProbeCacheState, ProbeResult } from '../../../core/engine/schema/probe.ts'
import { valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, Empty, Skeleton } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { counted } from '../../ui/format.ts'
import { Details, Section } from '../../ui/parts.tsx'
import { ProbeCost } from '../../views/probe/probe-cost.tsx'
import { ProbeHead } from '../../views/probe/probe-head.tsx'
import { ProbeHits } from '../../views/probe/probe-hits.tsx'
import { ProbeMessage } from '../../views/probe/probe-message.tsx'
import { DataField, QueryContext } from './probe-passes.tsx'
import { PromptBlock } from '../../views/probe/prompt-block.tsx'
import { messageOfSelection, refreshProbe, samplesNow } from '../../stores/probe/probe.ts'
import { Retrieved } from './retrieved.tsx'
import { type ProbedTurn, useProbe } from '../../stores/probe/store.ts'

/** Hits of the semantic probe in the message that belongs to the selection. */
export function ProbeTab() {
  const turn = useProbe((state) => state.turn)
  const seq = useApp(messageOfSelection)
  const loaded = useApp((state) => valueOf(state.session.replay) !== null)
  if (!loaded) return <Skeleton />
  if (seq === null)
    return (
      <Empty of="inspector">
        No message of a person stands at or before this event, so there is nothing to probe.
      </Empty>
    )
  return (
    <Answered
      data={turn}
      retry={() => refreshProbe()}
      stale={(shown) => shown.seq !== seq}
      className="probe"
    >
      {(shown) => <Probed key={shown.seq} turn={shown} />}
    </Answered>
  )
}

function Probed({ turn }: { readonly turn: ProbedTurn }) {
  const [pointed, setPointed] = useState<string | null>(null)
  const { result, text, cache, query } = turn
  const link = { pointed, onPoint: setPointed }
  const wasProbed = result.skipped === null
  return (
    <>
      <ProbeHead turn={turn} />
      {result.skipped === 'no_collections' && <NothingIndexed />}
      <ProbeMessage text={text} result={result} {...link} />
      {wasProbed && <ProbeHits result={result} {...link} />}
      {wasProbed && <PromptBlock result={result} />}
      {wasProbed && <Retrieved text={text} />}
      <QueryContext query={query} />
      {wasProbed && <ProbeCost result={result} />}
      <ProbeCache cache={cache} result={result} />
      <DataField field={turn.field} />
    </>
  )
}

function NothingIndexed() {
  return (
    <p className="section">
      {!samplesNow() &&
        'The sample collections are fiction: they are asked about sample sessions only, unless you let them take part. '}
      <Button kind="primary" onClick={() => patchView({ dialog: 'collections' })}>
        Collections…
      </Button>
    </p>
  )
}

interface Props {
  readonly cache: ProbeCacheState
  readonly result: ProbeResult
}

type Entry = ProbeCacheState['entries'][number]

/** Entries used by this message first, then the others; each group in cache order. */
function ordered(
  entries: readonly Entry[],
  tested: readonly string[],
): readonly [used: readonly Entry[], rest: readonly Entry[]] {
  const asked = new Set(tested.map((phrase) => phrase.toLowerCase()))
  const isAsked = ({ phrase }: Entry) => asked.has(phrase.toLowerCase())
  return [entries.filter(isAsked), entries.filter((entry) => !isAsked(entry))]
}

/** Contents of the session's cache before this message (D17). */
function ProbeCache({ cache, result }: Props) {
  const [used, rest] = ordered(cache.entries, result.phrases_tested)
  return (
    <Section
      title="Cache of the session"
      aside={`${counted(cache.size, 'phrase')} after ${counted(cache.turn, 'turn')}`}
    >
      {cache.size === 0 ? (
        <p className="quiet">
          Empty: this message is the first that was asked, or all have aged out.
        </p>
      ) : (
        <>
          {used.length === 0 && <p>It knew none of this message’s phrases.</p>}
          {used.length > 0 && (
            <Entries entries={used} label="Phrases of this message in the cache" />
          )}
          {rest.length > 0 && (
            <Details
              className="fold"
              summary={
                <>
                  {counted(rest.length, 'other phrase')}
                  {cache.size > cache.entries.length &&
                    `, the oldest of ${counted(cache.size, 'phrase')}`}
                </>
              }
            >
              <Entries entries={rest} label="Other phrases in the cache" />
            </Details>
          )}
        </>
      )}
    </Section>
  )
}

function Entries({
  entries,
  label,
}: {
  readonly entries: readonly Entry[]
  readonly label: string
}) {
  return (
    <DataTable
      className="probe-phrases text-s full-width"
      label={label}
      rows={entries}
      keyOf={({ phrase }) => phrase}
      columns={[
        { head: 'phrase', isName: true, cell: ({ phrase }) => phrase },
        {
          head: 'age',
          about: 'Turns since it was asked, probed or skipped',
          num: true,
          cell: ({ age }) => counted(age, 'turn'),
        },
        {
          head: 'left',
          about: 'Turns for which its answer still counts',
          num: true,
          cell: ({ left }) => counted(left, 'turn'),
        },
      ]}
    />
  )
}
