import { useState } from 'react'
import { DEFAULT_KINDS } from '../../../core/engine/schema/redaction.ts'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { useApp } from '../../app/use-store.ts'
import { replayInForce } from '../../app/verdicts.ts'
import { FailureNote, Updating } from '../../ui/answered.tsx'
import { Button, Pressable, Switch } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Input } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { type ShownLabels, useLab } from '../../stores/lab/store.ts'
import { CodebookView } from './codebook.tsx'
import { ReaderField } from './reader-field.tsx'
import { CorpusBasis } from '../lab/basis.tsx'
import { Share } from '../lab/share.tsx'
import { openWrong } from '../../stores/label/wrong.ts'
import { labelledTurns, setOutcome, stepUnlabelled } from '../../stores/label/labels.ts'

/** [U10] All labels of the corpus as text labels, handed to the browser with secrets taken out; says how many. */
async function exportLabels(corpus: string): Promise<string | Failure> {
  try {
    const { lines, text } = await host().call('labels.export', { corpus })
    if (lines.length === 0) return 'The corpus has no label.'
    const kinds = [...DEFAULT_KINDS]
    const safe = await host().call('export.text', { text, kinds })
    download([safe.text], 'labels.jsonl')
    const taken = safe.redacted > 0 ? `, ${counted(safe.redacted, 'value')} taken out` : ''
    return `${counted(lines.length, 'label')} written${taken}.`
  } catch (error) {
    return failureOf(error, 'Labels')
  }
}

/** Progress of the labelling, accuracy of the classifier, and outcome of the session. */
export function LabelSide({ ofSession = true }: { readonly ofSession?: boolean }) {
  const labels = useLab((state) => valueOf(state.labels))
  return (
    <aside
      className="label-side shrink-y column scroll text-s gap-12 on-panel pad"
      aria-label="Progress of the labels"
    >
      {labels && (
        <>
          {ofSession && <Progress labels={labels} />}
          <ReaderField />
          <CodebookView />
          <Agreement />
          <Outcome key={`${labels.key} ${labels.session}`} labels={labels} />
          <Files labels={labels} />
        </>
      )}
    </aside>
  )
}

function Progress({ labels }: { readonly labels: ShownLabels }) {
  const replayed = useApp(replayInForce)
  if (replayed === null) return <Updating />
  const { turns } = replayed.columns
  const done = labelledTurns(labels, replayed)
  return (
    <div className="label-progress">
      <p className="num">
        <strong>{count(done)}</strong> of {counted(turns, 'turn')} labelled
      </p>
      <div
        className="meter full-width"
        role="progressbar"
        aria-label="Labelled turns"
        aria-valuemin={0}
        aria-valuemax={turns}
        aria-valuenow={done}
      >
        <i style={{ width: `${turns === 0 ? 0 : (100 * done) / turns}%` }} />
      </div>
      <Button small title="Next turn without a label (n)" onClick={() => stepUnlabelled(1)}>
        Next unlabelled <kbd>n</kbd>
      </Button>
    </div>
  )
}

/** Agreement of the corpus labels with the configuration in force, next to the draft's numbers. */
function Agreement() {
  const report = useLab((state) => valueOf(state.flips))
  const isRead = useLab((state) => valueOf(state.corpus) !== null)
  const metrics = report?.before
  if (!report && isRead) return <Updating />
  if (!metrics || metrics.labelled === 0)
    return <p className="quiet">Agreement shows when the corpus has labels.</p>
  return (
    <dl className="label-numbers stack">
      <dt>right</dt>
      <dd className="text-end">
        <Pressable
          className="underlined"
          title="List the turns of this session that are wrong"
          onClick={openWrong}
        >
          <Share {...metrics.strict} interval />
        </Pressable>
      </dd>
      <dt>right or accepted</dt>
      <dd className="text-end">
        <Share {...metrics.withAlternatives} interval />
      </dd>
      <dt>forbidden</dt>
      <dd className="text-end">
        <Share {...metrics.forbidden} interval />
      </dd>
      <dd className="label-measured">
        <CorpusBasis />
      </dd>
    </dl>
  )
}

const RESULTS = [
  [true, 'passed'],
  [false, 'failed'],
  [undefined, 'unknown'],
] as const

/** [L12] Outcome of the session, as its user knows it. */
function Outcome({ labels }: { readonly labels: ShownLabels }) {
  const { outcome } = labels
  const [score, setScore] = useState(outcome?.score === undefined ? '' : String(outcome.score))
  const write = (pass: boolean | undefined, text: string) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const known = Number.isFinite(value)
    if (pass === undefined && !known) void setOutcome(null)
    else
      void setOutcome({
        type: 'outcome',
        ...(pass === undefined ? {} : { pass }),
        ...(known ? { score: value } : {}),
        ...(outcome?.note === undefined ? {} : { note: outcome.note }),
      })
  }
  return (
    <div className="label-outcome row wrap">
      <span className="quiet" id="outcome-label">
        Session
      </span>
      <Switch
        labelledBy="outcome-label"
        options={RESULTS}
        value={outcome?.pass}
        onChoose={(pass) => write(pass, score)}
      />
      <Input
        className="field-small label-score num"
        inputMode="decimal"
        aria-label="Score of the session, larger is better"
        placeholder="score"
        value={score}
        onBlur={() => {
          if (score !== String(outcome?.score ?? '')) write(outcome?.pass, score)
        }}
        onText={setScore}
      />
    </div>
  )
}

/** Files that labels are written to, and the way to a file that needs no session. */
function Files({ labels }: { readonly labels: ShownLabels }) {
  const corpus = useLab((state) => valueOf(state.corpus))
  const [said, setSaid] = useState<string | Failure>('')
  return (
    <div className="label-files">
      <p className="quiet truncate" title={labels.file}>
        Written to <code>{labels.file}</code>
      </p>
      {labels.lost.length > 0 && (
        <p className="bad" title={labels.lost.map(({ what }) => what).join('\n')}>
          {counted(labels.lost.length, 'label')} without a turn
        </p>
      )}
      <Button
        small
        disabled={!corpus}
        title="All labels of the corpus with their texts, for a file that needs no session; secrets are taken out"
        onClick={() => {
          if (corpus) void exportLabels(corpus.corpus).then(setSaid)
        }}
      >
        Export as text labels
      </Button>
      {typeof said === 'string' ? (
        <span role="status">{said}</span>
      ) : (
        <FailureNote failure={said} />
      )}
    </div>
  )
}
