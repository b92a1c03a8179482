import { useState } from 'react'
import { sideOf } from '../../../core/engine/schema/compare.ts'
import { valueOf } from '../../app/async-data.ts'
import { compareValue, wireCompared } from '../../app/compared.ts'
import { stream } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce, wireConfig } from '../../app/wire.ts'
import { Computed, Empty } from '../../ui/answered.tsx'
import { Switch } from '../../ui/button.tsx'
import { corpusSource, sessionSource } from '../../stores/flips/flip-source.ts'
import { type WireSide, useLab } from '../../stores/lab/store.ts'
import { useProbe } from '../../stores/probe/store.ts'
import { LAB, Studied, useLabQuery, useLabStatus } from '../../views/lab/studied.tsx'
import { CorpusFacts, SessionFacts } from './facts.tsx'
import { Compared } from './compared-flips.tsx'
import { SidePickers } from './side-picker.tsx'

const SCOPES = [
  ['session', 'This session', 'Turns and events of the session in view, paired by event'],
  ['corpus', 'Corpus', 'Turns of the corpus that is chosen below'],
] as const
type Scope = (typeof SCOPES)[number][0]

/** [L50] The one comparison: the session in view, or the whole corpus, with the side that the header names too. */
export function ComparePanel() {
  const [scope, setScope] = useState<Scope>('session')
  const compare = useApp((state) => state.view.compare)
  const run = useApp((state) => state.view.run)
  return (
    <section className="compare column full-height" aria-label="Compare">
      <div className="toolbar">
        <SidePickers />
        <span className="grow" />
        <Switch
          label="Compared are the turns of"
          options={SCOPES}
          value={scope}
          onChoose={setScope}
        />
      </div>
      {compare === null ? (
        <Empty of="dock" title="Choose the other side">
          <p>
            Another preset, domain file or revision, the draft, or what the file recorded when it
            ran: every turn that the two decide differently is listed, with the reason. List,
            Decision and timeline show the same comparison.
          </p>
        </Empty>
      ) : scope === 'session' ? (
        <SessionCompare key={compareValue(compare, run)} />
      ) : (
        <CorpusCompare key={compareValue(compare, run)} />
      )}
    </section>
  )
}

/** Input of the call for the session in view; null while its replay is under way. */
function useSessionInput() {
  const about = useApp(inForce)
  const compare = useApp((state) => state.view.compare)
  const events = useApp((state) => valueOf(state.session.replay)?.events ?? 0)
  const isReplaying = useApp((state) => state.session.replay.status === 'loading')
  // [L51] Nothing is probed for a comparison alone: personas join once the session was probed.
  const probe = useProbe((state) => state.session.status === 'ready')
  if (!about?.other || compare === null || isReplaying) return null
  return {
    probe,
    input: { ...about.address, config: about.config, compare: wireCompared(compare) },
    of: `${about.of} ${about.ofCompare} ${events}`,
  }
}

function SessionCompare() {
  const asks = useSessionInput()
  const about = { where: 'Compare', of: asks?.of ?? '' }
  const asked = useQuery(
    asks && stream('session.compare', { ...asks.input, probe: asks.probe }, about),
  )
  const isObserved = useApp(({ view }) => view.compare?.over?.kind === 'observed')
  const source = asks && sessionSource(asks.input.config, asks.input.compare, asks.of)
  const causes =
    asks && !isObserved
      ? stream('session.causes', { ...asks.input, probe: asks.probe }, about)
      : null
  return (
    <Computed {...asked} idle="Comparing the session in view">
      {({ diff }) => (
        <Compared report={diff} source={source} none="Both sides decide every turn alike.">
          <SessionFacts diff={diff} question={causes} />
        </Compared>
      )}
    </Computed>
  )
}

function CorpusCompare() {
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? null)
  const compare = useApp((state) => state.view.compare)
  const run = useApp((state) => state.view.run)
  const of = useLabStatus()
  const wire = compare && wireCompared(compare)
  // A recorded run is no side of the lab. For a side made of rules, both types are the same.
  const side = wire && (sideOf(wire) as WireSide | null)
  const base: WireSide = { kind: 'config', config: wireConfig(run) }
  const input = corpus !== null && side ? { corpus, base, side } : null
  const about = { ...LAB, of }
  const asked = useLabQuery(input && stream('lab.flips', { ...input, aside: true }, about))
  if (side === null)
    return (
      <Empty of="dock" title="What ran is compared session by session">
        <p>Choose “This session”, or on the command line: turnscope diff --observed FILE…</p>
      </Empty>
    )
  return (
    <Studied asked={asked} idle="Comparing">
      {({ report, problems }) =>
        report ? (
          <Compared
            report={report}
            source={input && corpusSource(input.corpus, base, side, of)}
            none="Both sides decide every turn alike."
          >
            <CorpusFacts report={report} question={input && stream('lab.causes', input, about)} />
          </Compared>
        ) : (
          <p className="notice" role="alert">
            {problems[0]?.what ?? 'One of the sides could not be read.'} {problems[0]?.do}
          </p>
        )
      }
    </Studied>
  )
}
