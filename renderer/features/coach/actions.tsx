import type { CoachOutput } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { valueOf } from '../../app/async-data.ts'
import { runCommand } from '../../app/commands.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { tallyOf } from './selectors.ts'
import { useCoach } from './store.ts'

/** Ask the model, change its settings, open the lab; why asking is not possible, where it is not. */
export function CoachActions({ output }: { readonly output: Immutable<CoachOutput> }) {
  const settings = useCoach((state) => valueOf(state.settings))
  const columns = useCoach((state) => valueOf(state.columns))
  const running = useCoach((state) => state.run.status === 'running')
  const off = settings?.mode !== 'model'
  const tally = columns && tallyOf(columns)
  return (
    <Section
      title="Ask the model"
      aside={
        <span className="gap-12 inline-flex">
          <Button
            kind="link"
            title="Prompt and rules in an editor (v)"
            onClick={() => runCommand('coach-lab')}
          >
            Coach lab
          </Button>
          <Button
            kind="link"
            title="Settings of the coach (V)"
            onClick={() => runCommand('coach-settings')}
          >
            Coach…
          </Button>
        </span>
      }
    >
      <div className="stack gap-6">
        <div className="row wrap">
          <Button
            small
            disabled={off || output.request.gated || running}
            title="Ask the model about this output (q)"
            onClick={() => runCommand('coach-ask')}
          >
            About this output
          </Button>
          <Button
            small
            disabled={off}
            title="Ask the model about all outputs of the session (Q)"
            onClick={() => runCommand('coach-ask-all')}
          >
            {running ? 'A batch is running …' : `About all ${tally?.outputs ?? ''}`}
          </Button>
        </div>
        <p className="quiet text-s">
          {off
            ? 'The model is off: the rules judge alone, and nothing leaves this machine. “Coach…” turns it on.'
            : output.request.gated
              ? 'A gate of the rules decides this output: the model is not asked.'
              : `Asks ${settings.model}; you see the cost before anything is sent.`}
        </p>
        {tally && (
          <p className="quiet text-s num">
            In this session: {counted(tally.outputs, 'output')}, {tally.back} sent back
            {tally.wentOn > 0 && ` (after ${tally.wentOn} of them it went on by itself)`},{' '}
            {counted(tally.disagree, 'disagreement')}, {tally.failed} failed, {tally.labelled}{' '}
            labelled.
          </p>
        )}
      </div>
    </Section>
  )
}
