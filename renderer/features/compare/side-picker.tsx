import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { compareName, compareValue } from '../../app/compared.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { wireConfig } from '../../app/wire.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChoiceBox, Input } from '../../ui/form.tsx'
import { isChanged } from '../../stores/lab/sides.ts'
import { useLab } from '../../stores/lab/store.ts'
import { type Revision, canSwap, chooseSide, sideOptions, swapSides } from './state.ts'

const GROUPS = ['This session', 'Presets', 'Domain files', 'Revisions'] as const
const TYPED = 'revision:'

/** [L50] This side is the configuration in force, as in the header. The other side is chosen here or there. */
export function SidePickers() {
  const run = useApp((state) => state.view.run)
  const compare = useApp((state) => state.view.compare)
  return (
    <>
      <span className="compare-here text-s truncate" title="What is in force: chosen in the header">
        <span className="quiet">this side </span>
        <strong>{run.preset}</strong> <span className="quiet">· {run.domains}</span>
      </span>
      <IconButton
        icon={ArrowLeftRight}
        name="Swap the sides"
        disabled={!canSwap(compare)}
        onClick={swapSides}
      />
      <OtherPicker />
    </>
  )
}

/** The other side: from a list, or any revision that git understands. */
function OtherPicker() {
  const info = useApp((state) => valueOf(state.document.info))
  const run = useApp((state) => state.view.run)
  const compare = useApp((state) => state.view.compare)
  const changed = useLab(isChanged)
  const { revisions, problem } = useRevisions()
  const [typing, setTyping] = useState(false)
  const value = typing ? TYPED : compare ? compareValue(compare, run) : ''
  const options = info ? sideOptions(info, run, changed, revisions) : []
  const isListed = value === '' || options.some((option) => option.value === value)
  return (
    <span className="side-picker shrink gap-8 inline-flex">
      <ChoiceBox
        label="Compared with"
        value={value}
        onText={(chosen) => {
          setTyping(chosen === TYPED)
          if (chosen !== TYPED) chooseSide(chosen)
        }}
      >
        <option value="">nothing</option>
        {!isListed && !typing && compare && (
          <option value={value}>{compareName(compare, run)}</option>
        )}
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
      {typing && (
        <TypedRevision
          onChoose={(revision) => {
            setTyping(false)
            chooseSide(TYPED + revision)
          }}
        />
      )}
    </span>
  )
}

/** Chooses the typed revision when Enter is pressed. */
function TypedRevision({ onChoose }: { readonly onChoose: (revision: string) => void }) {
  const [text, setText] = useState('')
  return (
    <Input
      className="field-small mono"
      aria-label="Revision"
      placeholder="HEAD~3, main, a hash"
      value={text}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && text.trim() !== '') onChoose(text)
      }}
      onText={setText}
    />
  )
}

interface Revisions {
  readonly revisions: readonly Revision[]
  readonly problem: string | null
}

/** Revisions of the domain file. None, with the reason, if there is no repository. */
function useRevisions(): Revisions {
  const run = useApp((state) => state.view.run)
  const input = { config: wireConfig(run) }
  // The key includes `trustAsked`, because a change of trust may allow or forbid Git.
  const of = useApp((state) => `${state.document.trustAsked}`)
  const { data } = useQuery(call('git.revisions', input, { where: 'Revisions', of }))
  if (data.status === 'failed') return { revisions: [], problem: data.failure.what }
  return valueOf(data) ?? NO_REVISIONS
}

const NO_REVISIONS: Revisions = { revisions: [], problem: null }
