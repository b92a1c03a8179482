import { ownOf } from '../../../core/engine/schema/own.ts'
import { Pencil } from 'lucide-react'
import { Button, CopyButton, Pressable } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { useSegmentColor } from '../../views/prompt/segment-color.ts'
import { OUTCOME_WORDS } from '../../views/self-signals/answer-words.ts'
import { type Composed, type Trial, withDraft } from './trial.ts'

interface Props {
  readonly trial: Trial
  readonly change: (trial: Trial) => void
  readonly composed: Composed
  /** Segment whose draft is open. */
  readonly edited: string | null
  readonly setEdited: (id: string | null) => void
}

/** Middle: every segment of the registry, each with a draft to write; the open draft below. */
export function Sources(props: Props) {
  const { trial, composed, edited, setEdited } = props
  const color = useSegmentColor()
  const source = composed.sources.find(({ id }) => id === edited)
  return (
    <section className="playground-sources shrink-y column line-end" aria-label="Segments">
      <ul className="source-list no-shrink scroll">
        {composed.sources.map(({ id }) => {
          const index = composed.prompt?.segments.findIndex((segment) => segment.id === id) ?? -1
          const report = composed.prompt?.segments[index]
          const isIn = report !== undefined && report.span !== null
          return (
            <li key={id}>
              <Pressable
                className={`row text-s full-width hoverable chosen source${isIn ? '' : ' dim'}`}
                aria-pressed={edited === id}
                title={`${report?.why ?? ''}\nClick to edit a draft`}
                onClick={() => setEdited(edited === id ? null : id)}
              >
                <i className="segment-dot" style={{ background: isIn ? color(index) : 'none' }} />
                <span className="truncate grow">{id}</span>
                {ownOf(trial.drafts, id) !== undefined && <Chip tone="accent">draft</Chip>}
                {report && report.outcome !== 'included' && (
                  <Chip tone={OUTCOME_WORDS[report.outcome].tone}>
                    {OUTCOME_WORDS[report.outcome].words}
                  </Chip>
                )}
                {isIn && <span className="num quiet">{count(report.size ?? report.estimate)}</span>}
                <Pencil size={12} className="quiet" aria-hidden />
              </Pressable>
            </li>
          )
        })}
      </ul>
      {source ? (
        <Draft {...props} source={source} />
      ) : (
        <p className="text-s pad-8-16 quiet">Choose a segment to write a draft of it.</p>
      )}
    </section>
  )
}

function Draft({
  trial,
  change,
  source,
}: Pick<Props, 'trial' | 'change'> & { readonly source: Composed['sources'][number] }) {
  const { id, path, text: file } = source
  const text = ownOf(trial.drafts, id) ?? file
  const changed = ownOf(trial.drafts, id) !== undefined
  return (
    <div className="draft column fill line-above gap-6">
      <div className="row text-s">
        <strong className="truncate">{id}</strong>
        <span className="quiet truncate grow mono" title={path}>
          {path}
        </span>
        <Button small disabled={!changed} onClick={() => change(withDraft(trial, id, file, file))}>
          Reset to the file
        </Button>
        <CopyButton text={text} what="draft" />
      </div>
      <TextArea
        className="area-mono"
        aria-label={`Draft of ${id}`}
        value={text}
        onText={(text) => change(withDraft(trial, id, text, file))}
      />
    </div>
  )
}
