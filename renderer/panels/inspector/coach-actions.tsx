import type { CoachOutput } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { runCommand } from '../../commands.ts'
import { valueOf } from '../../state/async-data.ts'
import { useCoach } from '../../state/coach-store.ts'
import { tallyOf } from '../../state/coach-selectors.ts'
import { counted } from '../../ui/format.ts'

/** Ask the model, change its settings, open the lab; why asking is not possible, where it is not. */
export function CoachActions({ output }: { readonly output: Immutable<CoachOutput> }) {
  const settings = useCoach((state) => valueOf(state.settings))
  const columns = useCoach((state) => valueOf(state.columns))
  const running = useCoach((state) => state.run.status === 'running')
  const off = settings?.mode !== 'model'
  const tally = columns && tallyOf(columns)
  return (
    <section className="section coach-actions" aria-label="Ask the model">
      <div className="coach-buttons">
        <button
          type="button"
          className="button button-small"
          disabled={off || output.request.gated || running}
          title="Ask the model about this output (a)"
          onClick={() => runCommand('coach-ask')}
        >
          Ask the model about this output
        </button>
        <button
          type="button"
          className="button button-small"
          disabled={off}
          title="Ask the model about all outputs of the session (A)"
          onClick={() => runCommand('coach-ask-all')}
        >
          {running ? 'A batch is running …' : `About all ${tally?.outputs ?? ''}`}
        </button>
        <button
          type="button"
          className="link"
          title="Coach lab (v)"
          onClick={() => runCommand('coach-lab')}
        >
          Lab
        </button>
        <button
          type="button"
          className="link"
          title="Settings of the coach (V)"
          onClick={() => runCommand('coach-settings')}
        >
          Coach…
        </button>
      </div>
      <p className="quiet coach-hint">
        {off
          ? 'The model is off: the rules judge alone, and nothing leaves this machine. Turn it on in Coach….'
          : output.request.gated
            ? 'A gate of the rules decides this output: the model is not asked.'
            : `Asks ${settings.model}; you see the cost before anything is sent.`}
      </p>
      {tally && (
        <p className="quiet coach-hint num">
          In this session: {counted(tally.outputs, 'output')}, {tally.back} sent back,{' '}
          {counted(tally.disagree, 'disagreement')}, {tally.failed} failed, {tally.labelled}{' '}
          labelled.
        </p>
      )}
    </section>
  )
}
