import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { CopyButton } from '../../ui/button.tsx'
import { count, counted, duration } from '../../ui/format.ts'
import { indentJson } from '../../ui/indent-json.ts'
import { Block, Details, Fact, Section } from '../../ui/parts.tsx'
import { type OfOutput, useCoach } from '../../stores/coach/store.ts'
import { LogPath } from './task.tsx'
import { dollarsText } from '../../views/coach/words.ts'

/** The model's request, actual or hypothetical, and its response. */
export function CoachRequest({ output }: OfOutput) {
  const { request, response, context } = output
  const facts = [
    counted(request.tokens, 'token'),
    request.redacted > 0 ? `${counted(request.redacted, 'value')} redacted` : 'nothing redacted',
    request.removed > 0 ? `${counted(request.removed, 'character')} cut` : 'nothing cut',
  ]
  return (
    <Section
      title="Request and answer"
      aside={
        <span className="mono" title="Hash of the prompt that verdicts are kept under">
          {request.promptHash.slice(0, 12)}
        </span>
      }
    >
      <Sent output={output} />
      <Context context={context} />
      <LogPath />
      <Text
        title={response === null ? 'What would be sent' : 'What was sent'}
        note={facts.join(' · ')}
        parts={[
          ['system', request.system],
          ['user', request.user],
        ]}
      />
      {response !== null && (
        <Text title="Raw answer" note={costOf(output)} parts={[['answer', indentJson(response)]]} />
      )}
    </Section>
  )
}

function costOf({ cost }: OfOutput['output']): string {
  if (!cost) return ''
  const tokens = (value: number | null) => (value === null ? 'unknown' : count(value))
  return [
    `${tokens(cost.inputTokens)} tokens in, ${tokens(cost.outputTokens)} out`,
    cost.dollars === null ? 'cost unknown: no price is set' : dollarsText(cost.dollars),
    duration(cost.elapsedMs),
  ].join(' · ')
}

/** Whether anything left the machine for this output. */
function Sent({ output }: OfOutput) {
  const mode = useCoach((state) => valueOf(state.settings)?.mode ?? 'off')
  const { verdict, request, failure, response } = output
  const wasTried = failure && failure.kind !== 'off' && failure.kind !== 'no_key'
  const answered =
    verdict.source === 'cache'
      ? 'Sent once, earlier; the answer is kept, so the same question is not paid for again.'
      : 'Sent to the model.'
  const unsent = mode === 'off' ? 'The model is off.' : 'The model was not asked about it.'
  const gated = 'A gate of the rules decides this output, so a model is never asked.'
  return (
    <p className="coach-sent text-s">
      {response !== null ? (
        answered
      ) : wasTried ? (
        'It was tried to send this; no answer that can be used came.'
      ) : (
        <>
          <strong>Nothing was sent.</strong> {request.gated ? gated : unsent}
        </>
      )}
    </p>
  )
}

function Context({ context }: { readonly context: OfOutput['output']['context'] }) {
  const { plan, skill, criteria, planProblem } = context
  if (plan === null && skill === null && criteria.length === 0)
    return <p className="quiet coach-context text-s">No plan and no skill were known.</p>
  return (
    <dl className="segment-facts coach-context text-s">
      {planProblem !== null && <Fact name="not read">▲ {planProblem}</Fact>}
      {skill !== null && <Fact name="skill">{skill}</Fact>}
      {plan !== null && (
        <Fact name="plan" look="mono">
          {plan}
        </Fact>
      )}
      {criteria.length > 0 && (
        <Fact name="criteria">
          <ul className="changes">
            {criteria.map((one, at) => (
              <li key={at}>{one}</li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

interface TextProps {
  readonly title: string
  readonly note: string
  readonly parts: ReadonlyArray<readonly [string, string]>
}

/** A fold with texts in it; nothing is drawn before it is opened. */
function Text({ title, note, parts }: TextProps) {
  const [open, setOpen] = useState(false)
  return (
    <Details
      className="segment coach-raw"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      summary={
        <>
          <span className="segment-arrow" aria-hidden>
            ▸
          </span>
          <span className="segment-name">{title}</span>
          <span className="quiet num coach-raw-note text-xs">{note}</span>
        </>
      }
    >
      {open &&
        parts.map(([name, text]) => (
          <div key={name} className="segment-text coach-part mb-8">
            {parts.length > 1 && <h4 className="quiet">{name}</h4>}
            <CopyButton text={text} what={name} />
            <Block label={`${title}: ${name}`}>{text === '' ? '(empty)' : text}</Block>
          </div>
        ))}
    </Details>
  )
}
