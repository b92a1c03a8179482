import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { wireConfig } from '../../app/wire.ts'
import { ChoiceBox, Input } from '../../ui/form.tsx'
import { isChanged } from '../lab-corpus/sides.ts'
import { useLab } from '../lab-corpus/store.ts'
import { type Revision, sideOptions } from './state.ts'

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
      <ChoiceBox label={label} value={isTyped ? TYPED : value} onText={onChoose}>
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
      </ChoiceBox>
      {isTyped && <TypedRevision value={value} onChoose={onChoose} />}
    </span>
  )
}

/** Asked for when the field is left or Enter is pressed. */
function TypedRevision({ value, onChoose }: Omit<Props, 'label'>) {
  const [text, setText] = useState(value.slice(TYPED.length))
  return (
    <Input
      className="field-small mono"
      aria-label="Revision"
      placeholder="HEAD~3, main, a hash"
      value={text}
      onBlur={() => onChoose(TYPED + text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose(TYPED + text)
      }}
      onText={setText}
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
  const input = { config: wireConfig(run) }
  const { data } = useQuery(call('git.revisions', input, { where: 'Revisions' }))
  if (data.status === 'failed') return { revisions: [], problem: data.failure.what }
  return valueOf(data) ?? NO_REVISIONS
}

const NO_REVISIONS: Revisions = { revisions: [], problem: null }
