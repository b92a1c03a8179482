import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Suggestion } from '../../../core/engine/schema/lab.ts'
import { has } from '../../app/api.ts'
import { stream } from '../../app/question.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Domain } from '../../ui/domain.tsx'
import { Select } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { openDock } from '../../app/dock.ts'
import { useLab } from '../../stores/lab/store.ts'
import { addSignal } from '../../stores/drafts/draft.ts'
import { Delta } from '../../views/lab/metric-table.tsx'
import { CorpusBasis } from '../../views/lab/basis.tsx'
import { Share } from '../../views/lab/share.tsx'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'

/** [T18] Phrases that labeled turns of a domain have and others do not. Nothing is applied automatically. */
export function Suggestions(_: StudyProps) {
  const names = useApp(domainNames)
  const [domain, setDomain] = useState<string | null>(null)
  const asked = useStudy((about) => stream('lab.suggest', { ...about, domain }, LAB))
  return (
    <>
      <div className="panel-bar">
        <Select
          label="For"
          value={domain}
          options={[null, ...names]}
          words={(name) => name ?? 'all domains'}
          onChoose={setDomain}
        />
      </div>
      <Studied asked={asked} idle="Comparing phrases of labelled turns">
        {({ suggestions, train, held, heldSources }) => (
          <>
            <p className="text-s dim pad-8-12">
              Found in {counted(train, 'labelled turn')}, judged on {count(held)} others{' '}
              {heldSources === null
                ? 'of the same source, which says little of new ones'
                : `of ${counted(heldSources, 'source')} that the search never saw`}
              . A gain there is the only reason to add one.
            </p>
            <CorpusBasis />
            {suggestions.length === 0 ? (
              <Empty>No phrase stands out. More labels may help.</Empty>
            ) : (
              <SuggestionTable suggestions={suggestions} held={held} />
            )}
          </>
        )}
      </Studied>
    </>
  )
}

interface TableProps {
  readonly suggestions: readonly Suggestion[]
  readonly held: number
}

function SuggestionTable({ suggestions, held }: TableProps) {
  const columns: ReadonlyArray<Column<Suggestion>> = [
    {
      head: 'Phrase',
      isName: true,
      cell: ({ domain, phrase, logOdds }) => (
        <>
          <Domain name={domain} />
          <code title={`log-odds ${logOdds.toFixed(2)}`}>{phrase}</code>
        </>
      ),
    },
    {
      head: 'Seen own : other',
      about: 'Labelled turns with the phrase: of the domain, of others',
      num: true,
      cell: ({ trainOwn, trainOther }) => `${count(trainOwn)} : ${count(trainOther)}`,
    },
    {
      head: 'Held out own : other',
      about: 'The same in the part that was held out',
      num: true,
      cell: ({ heldOwn, heldOther }) => `${count(heldOwn)} : ${count(heldOther)}`,
    },
    {
      head: 'Held out right',
      about: `Right answers of the ${held} turns held out, with the signal added`,
      cell: ({ heldAfter }) => <Share {...heldAfter} />,
    },
    {
      head: 'Gain',
      cell: ({ heldAfter, heldBefore }) => <Delta by={heldAfter.hits - heldBefore.hits} />,
    },
    {
      head: 'Flips',
      about: 'Turns of the whole corpus that would flip',
      num: true,
      cell: ({ flips }) => count(flips),
    },
    { cell: (one) => <AddButton suggestion={one} /> },
  ]
  return (
    <DataTable
      className="metric-table metric-rows full-width"
      columns={columns}
      rows={suggestions}
      keyOf={({ domain, pattern }) => `${domain} ${pattern}`}
    />
  )
}

function AddButton({ suggestion }: { readonly suggestion: Suggestion }) {
  const there = useLab((state) => state.text?.includes(suggestion.pattern) ?? false)
  if (!has('edit')) return null
  return (
    <Button
      small
      disabled={there}
      title={`Put ${suggestion.pattern} into the draft; nothing is saved`}
      onClick={() =>
        void addSignal(suggestion.domain, suggestion.pattern, null).then(() => openDock('tune'))
      }
    >
      <Plus size={12} aria-hidden /> {there ? 'In the draft' : 'Add to draft'}
    </Button>
  )
}
