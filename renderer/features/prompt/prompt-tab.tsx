import type { Placement } from '../../../core/engine/schema/answer-trace.ts'
import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import { valueOf } from '../../app/async-data.ts'
import { turnOf } from '../../app/selectors.ts'
import { type ShownPrompt, patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Check } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { Section, Warnings } from '../../ui/parts.tsx'
import { useProbe } from '../../stores/probe/store.ts'
import { DiffView } from '../../views/prompt/diff-view.tsx'
import { MessageLine, OfMessage } from '../../views/prompt/of-message.tsx'
import { QueryFacts, QueryTitle } from '../../views/prompt/query-summary.tsx'
import { SegmentList } from './segment-list.tsx'

/** The query type of a message and the prompt that it would have been answered with. */
export function PromptTab() {
  return (
    <OfMessage>
      {(shown) => (
        <>
          <div className="verdict">
            <MessageLine seq={shown.seq} />
            <QueryTitle query={shown.query.classification} />
            <QueryFacts query={shown.query.classification} />
          </div>
          <ProbeSwitch />
          <Composed shown={shown} />
          <Differences shown={shown} />
        </>
      )}
    </OfMessage>
  )
}

/** Switches the probe's hits in prompts on or off. Hidden if the session was not probed and the switch is off. */
function ProbeSwitch() {
  const on = useApp((state) => state.view.probeInPrompt)
  const probed = useProbe((state) => valueOf(state.session) !== null)
  if (!probed && !on) return null
  return (
    <Check
      className="check-line"
      checked={on}
      onCheck={(probeInPrompt) => patchView({ probeInPrompt })}
    >
      With probe context
      <span className="quiet">adds what the message hit as segment probe-context</span>
    </Check>
  )
}

function Composed({ shown }: { readonly shown: ShownPrompt }) {
  const { prompt, error, placements } = shown.prompt
  if (!prompt)
    return (
      <Section title="No prompt">
        <p>{error?.what ?? 'The prompt could not be composed.'}</p>
        {error && <p className="quiet">{`${error.where}. ${error.do}`}</p>}
      </Section>
    )
  return (
    <>
      <Section
        title="Composed prompt"
        aside={counted(prompt.tokenEstimate, 'token')}
        copy={{ text: prompt.content, what: 'prompt' }}
      >
        <SegmentList prompt={prompt} />
        <PromptWarnings prompt={prompt} />
      </Section>
      <Placements placements={placements} />
    </>
  )
}

function PromptWarnings({ prompt }: { readonly prompt: ComposedPrompt }) {
  return (
    <>
      <Warnings texts={prompt.warnings} />
      {prompt.unusedVariables.length > 0 && (
        <p className="score-note">
          Given and used by no segment: {prompt.unusedVariables.join(', ')}.
        </p>
      )}
    </>
  )
}

const WHAT: Readonly<Record<Placement['what'], string>> = {
  enrichment: 'Enrichment',
  probe_context: 'Probe context',
}

/** The places of the other stages' text in the prompt. */
function Placements({ placements }: { readonly placements: readonly Placement[] }) {
  return (
    <Section title="From the other stages">
      {placements.length === 0 ? (
        <p>Nothing: no enrichment was injected for this message.</p>
      ) : (
        <ul className="plan">
          {placements.map(({ what, segment, chars, placed, why }) => (
            <li key={what}>
              <span className="quiet">{WHAT[what]}</span>
              <span>
                {count(chars)} characters{' '}
                <span className={placed ? 'plan-on' : 'quiet'}>
                  {placed ? `in segment ${segment}` : `left out: ${why}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Against the message before, and against the same message under the compared preset. */
function Differences({ shown }: { readonly shown: ShownPrompt }) {
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  const { previous, compare } = shown
  const turn = previous && columns ? turnOf(columns, previous.seq) : undefined
  const where = turn === undefined ? 'the message before' : `the message of turn ${turn + 1}`
  return (
    <>
      {previous && (
        <DiffView
          title={`Against ${where}`}
          parts={previous.diff}
          same="The prompt is the same, word for word."
        />
      )}
      {compare && (
        <DiffView
          title={`Against preset ${compare.preset}`}
          parts={compare.diff}
          same={`Under ${compare.preset} this message has the same prompt, word for word.`}
        />
      )}
    </>
  )
}
