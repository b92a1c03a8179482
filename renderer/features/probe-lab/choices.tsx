import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { selectSeq } from '../../app/select.ts'
import { patchView } from '../../app/store.ts'
import { useQuery } from '../../app/use-query.ts'
import { Select } from '../../ui/form.tsx'
import { counted } from '../../ui/format.ts'
import { LAB } from '../../views/lab/studied.tsx'
import { useProbe } from '../../stores/probe/store.ts'

/** Closes the lab and shows a message in the Probe tab. */
export function openMessage(seq: number): void {
  patchView({ dialog: null, tab: 'probe', show: 'all' })
  selectSeq(seq)
}

const QUESTION = call('probe.querySets', {}, LAB)

/** Sets of labeled queries, and the chosen one; by default the first. */
export function useQuerySets() {
  const { data } = useQuery(QUESTION)
  const sets = valueOf(data)?.sets ?? null
  const [chosen, choose] = useState<string | null>(null)
  const set = chosen ?? sets?.[0]?.name ?? null
  return { data, sets, set, choose }
}

interface EmbedderProps {
  readonly label: string
  /** Null = the one in use. */
  readonly value: string | null
  readonly onChoose: (name: string | null) => void
}

/** Chooses an embedder that is there; the one in use is named. */
export function EmbedderSelect({ label, value, onChoose }: EmbedderProps) {
  const known = useProbe((state) => valueOf(state.embedders))
  const of = (name: string | null) => known?.embedders.find((one) => one.name === name)
  const usable = (known?.embedders ?? []).filter(
    ({ name, state }) => (state === 'ready' || state === 'not_loaded') && name !== known?.current,
  )
  return (
    <Select
      label={label}
      value={value}
      options={[null, ...usable.map(({ name }) => name)]}
      words={(name) => {
        if (name === null)
          return `${of(known?.current ?? null)?.title ?? 'the one in use'} (in use)`
        return `${of(name)?.title ?? name}${of(name)?.remote ? ' (texts leave this machine)' : ''}`
      }}
      onChoose={onChoose}
    />
  )
}

interface SetProps {
  readonly sets: ReadonlyArray<{ readonly name: string; readonly queries: number }>
  readonly value: string
  readonly onChoose: (name: string) => void
}

export function QuerySetSelect({ sets, value, onChoose }: SetProps) {
  const queries = (name: string) => sets.find((set) => set.name === name)?.queries ?? 0
  return (
    <Select
      label="Queries"
      value={value}
      options={sets.map(({ name }) => name)}
      words={(name) => `${name} (${counted(queries(name), 'query', 'queries')})`}
      onChoose={onChoose}
    />
  )
}
