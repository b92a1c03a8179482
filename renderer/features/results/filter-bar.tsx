import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResultsAbout, ResultsFilter } from '../../../core/engine/schema/results.ts'
import { lastOf } from '../../app/offered-files.ts'
import { Button, Pressable, Switch } from '../../ui/button.tsx'
import { Input } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { Picker } from '../../ui/picker.tsx'
import { shortName, titleOf } from '../../ui/visible.ts'
import { valueOf } from '../../app/async-data.ts'
import { clearFilter, filterBy, isEmpty, patchResults, useResults } from './state.ts'

const CAUSES = [
  [null, 'Any cause', 'Flips of any cause'],
  ['direct', 'Direct', 'Flips of turns whose own signals differ'],
  ['momentum', 'By momentum', 'Flips where only the state that was carried in differs'],
] as const

const ALL = ''

/** The active filters, with a button to clear them. */
export function FilterBar({ about }: { readonly about: ResultsAbout }) {
  const filter = useResults((state) => state.filter)
  const isTried = useResults(({ edit }) => valueOf(edit) !== null)
  const { files, otherFiles } = about
  const hasFlips = about.flips !== null || isTried
  const options = [
    {
      value: ALL,
      label: 'All sources',
      note: otherFiles > 0 ? `${count(otherFiles)} more are not listed` : undefined,
    },
    ...files.map(({ path, turns }) => ({
      value: path,
      label: lastOf(path),
      note: path,
      aside: <span className="num quiet">{count(turns)}</span>,
    })),
  ]
  return (
    <div className="results-tools row wrap no-shrink line-below on-panel pad-8-12">
      <Picker
        label="Source"
        value={filter.file ?? ALL}
        shown={filter.file === null ? 'all' : shortName(lastOf(filter.file))}
        options={options}
        onChoose={(file) => filterBy({ file: file === ALL ? null : file })}
      />
      <Input
        className="results-session"
        value={filter.session ?? ''}
        placeholder="Name of the session has …"
        aria-label="Text in the name of the session"
        spellCheck={false}
        onText={(text) => filterBy({ session: text === '' ? null : text })}
      />
      {hasFlips && (
        <Switch
          label="Cause of flips"
          options={CAUSES}
          value={filter.cause}
          onChoose={(cause) => {
            filterBy({ cause })
            if (cause !== null) patchResults({ list: 'flips' })
          }}
        />
      )}
      <InForce filter={filter} />
    </div>
  )
}

/** Filters that are chosen in the lists, each with a cross; and one for all. */
function InForce({ filter }: { readonly filter: ResultsFilter }) {
  const { domain, from, to } = filter
  return (
    <>
      {domain !== null && <Held onDrop={() => filterBy({ domain: null })}>{domain}</Held>}
      {from !== null && to !== null && (
        <Held onDrop={() => filterBy({ from: null, to: null })}>
          {from === to ? `${from}, as before` : `${from} → ${to}`}
        </Held>
      )}
      {!isEmpty(filter) && (
        <Button kind="link" onClick={clearFilter}>
          Clear all filters
        </Button>
      )}
    </>
  )
}

function Held({ children, onDrop }: { readonly children: ReactNode; readonly onDrop: () => void }) {
  const words = typeof children === 'string' ? children : ''
  return (
    <Pressable
      className="results-held chip chip-accent"
      title={titleOf(`Without this filter: ${words}`)}
      onClick={onDrop}
    >
      {shortName(words)}
      <X size={11} aria-hidden />
    </Pressable>
  )
}
