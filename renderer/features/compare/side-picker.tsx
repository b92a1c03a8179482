import { useEffect, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { host } from '../../app/host.ts'
import { sideOptions, type Revision } from './state.ts'
import { isChanged } from '../dock/sides.ts'
import { useLab } from '../dock/store.ts'
import { wireConfig } from '../../app/wire.ts'
import { useApp } from '../../app/use-store.ts'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChoose: (value: string) => void
}

const GROUPS = ['Now', 'Presets', 'Domain files', 'Revisions'] as const
const TYPED = 'revision:'

/** One side of a comparison: from a list, or any revision that git understands. */
export function SidePicker({ label, value, onChoose }: Props) {
  const info = useApp((state) => valueOf(state.document.info))
  const run = useApp((state) => state.view.run)
  const changed = useLab(isChanged)
  const { revisions, problem } = useRevisions()
  const options = info ? sideOptions(info, run, changed, revisions) : []
  const isTyped = value.startsWith(TYPED) && !options.some((option) => option.value === value)
  return (
    <span className="side-picker shrink gap-8 inline-flex">
      <label className="inline-field">
        <span>{label}</span>
        <select
          className="field field-small"
          value={isTyped ? TYPED : value}
          onChange={(event) => onChoose(event.target.value)}
        >
          {value === '' && <option value="">choose …</option>}
          {GROUPS.map((group) => (
            <optgroup key={group} label={group}>
              {options
                .filter((option) => option.group === group)
                .map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              {group === 'Revisions' && (
                <option value={TYPED} disabled={problem !== null}>
                  {problem ?? 'another revision …'}
                </option>
              )}
            </optgroup>
          ))}
        </select>
      </label>
      {isTyped && <TypedRevision value={value} onChoose={onChoose} />}
    </span>
  )
}

/** Asked for when the field is left or Enter is pressed. */
function TypedRevision({ value, onChoose }: Omit<Props, 'label'>) {
  const [text, setText] = useState(value.slice(TYPED.length))
  return (
    <input
      className="field field-small mono"
      aria-label="Revision"
      placeholder="HEAD~3, main, a hash"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onChoose(TYPED + text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose(TYPED + text)
      }}
    />
  )
}

interface Revisions {
  readonly revisions: readonly Revision[]
  readonly problem: string | null
}

/** Revisions of the domain file; none where there is no repository, with the reason. */
function useRevisions(): Revisions {
  const run = useApp((state) => state.view.run)
  const [found, setFound] = useState<Revisions>({ revisions: [], problem: null })
  useEffect(() => {
    const controller = new AbortController()
    host()
      .call('git.revisions', { config: wireConfig(run) }, controller.signal)
      .then((answer) => {
        if (!controller.signal.aborted) setFound(answer)
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted)
          setFound({ revisions: [], problem: error instanceof Error ? error.message : 'no git' })
      })
    return () => controller.abort()
  }, [run])
  return found
}
