import type { EnrichmentPlan } from '../../../core/engine/schema/trace.ts'
import type { OfTurn } from '../../app/feature.ts'
import { CopyButton } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { Block, Section } from '../../ui/parts.tsx'

const REASONS: Record<
  NonNullable<
    EnrichmentPlan['reason_secondary_skipped'] | EnrichmentPlan['reason_primary_skipped']
  >,
  string
> = {
  disabled_in_profile: 'disabled in the model profile',
  no_secondary_classified: 'there is no secondary',
  below_threshold: 'too few signals in this text',
  primary_disabled: 'the primary is disabled, so nothing is injected',
}

/** Text injected into the model's context, and the reason for each text left out. */
export function Injected({ trace }: OfTurn) {
  const { plan, enrichment } = trace
  return (
    <Section
      title="Enrichment injected"
      aside={
        enrichment === '' ? (
          'nothing'
        ) : (
          <>
            {counted(enrichment.length, 'character')}
            <CopyButton text={enrichment} what="enrichment" />
          </>
        )
      }
    >
      <ul className="plan">
        <PlanLine
          part="primary"
          domain={trace.primary.domain}
          on={plan.primary_enrichment}
          reason={plan.reason_primary_skipped}
        />
        <PlanLine
          part="secondary"
          domain={trace.secondary?.domain ?? null}
          on={plan.secondary_enrichment}
          reason={plan.reason_secondary_skipped}
        />
      </ul>
      {enrichment !== '' && <Block label="Enrichment text">{enrichment}</Block>}
    </Section>
  )
}

interface PlanLineProps {
  readonly part: string
  readonly domain: string | null
  readonly on: boolean
  readonly reason: keyof typeof REASONS | null
}

function PlanLine({ part, domain, on, reason }: PlanLineProps) {
  return (
    <li>
      <span className="quiet">{part}</span>
      <span>
        {domain ?? 'none'}{' '}
        <span className={on ? 'plan-on' : 'quiet'}>
          {on ? 'injected' : `not injected: ${reason ? REASONS[reason] : 'not planned'}`}
        </span>
      </span>
    </li>
  )
}

/** The state and log lines that the turn writes. */
export function Written({ trace }: OfTurn) {
  const written = JSON.stringify(trace.written, null, 2)
  return (
    <>
      <Section title="Log lines" copy={{ text: trace.log.join('\n'), what: 'log lines' }}>
        <Block label="Log lines">{trace.log.length > 0 ? trace.log.join('\n') : '(none)'}</Block>
      </Section>
      <Section title="Written to shared state" copy={{ text: written, what: 'state' }}>
        <Block label="Written to shared state">{written}</Block>
      </Section>
    </>
  )
}
