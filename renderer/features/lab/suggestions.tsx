import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Suggestion } from '../../../core/engine/schema/lab.ts'
import { addSignal } from '../tune/draft.ts'
import { openDock } from '../dock/dock.ts'
import { useLab } from '../dock/store.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import type { StudyProps } from './study-props.ts'
import { Delta } from './metric-table.tsx'
import { Share } from './share.tsx'
import { Studied } from './studied.tsx'
import { askStream, useAbout, useAnswer } from './use-answer.ts'

/** [T18] Phrases that labelled turns of a domain have and others do not. Nothing is applied by itself. */
export function Suggestions(_: StudyProps) {
  const about = useAbout()
  const names = useApp(domainNames)
  const [domain, setDomain] = useState<string | null>(null)
  const ask = useMemo(
    () => (about ? askStream('lab.suggest', { ...about, domain }) : null),
    [about, domain],
  )
  const asked = useAnswer(ask)
  return (
    <>
      <div className="panel-bar">
        <label className="inline-field">
          <span>For</span>
          <select
            className="field"
            value={domain ?? ''}
            onChange={(event) => setDomain(event.target.value === '' ? null : event.target.value)}
          >
            <option value="">all domains</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Studied asked={asked} idle="Comparing phrases of labelled turns">
        {({ suggestions, train, held }) => (
          <>
            <p className="text-s dim pad-8-12">
              Found in {counted(train, 'labelled turn')}, judged on {count(held)} others that the
              search never saw. A gain there is the only reason to add one.
            </p>
            {suggestions.length === 0 ? (
              <p className="list-empty quiet">No phrase stands out. More labels may help.</p>
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
  return (
    <table className="metric-table metric-rows full-width">
      <thead>
        <tr>
          <th scope="col">Phrase</th>
          <th scope="col" title="Labelled turns with the phrase: of the domain, of others">
            Seen own : other
          </th>
          <th scope="col" title="The same in the part that was held out">
            Held out own : other
          </th>
          <th
            scope="col"
            title={`Right answers of the ${held} turns held out, with the signal added`}
          >
            Held out right
          </th>
          <th scope="col">Gain</th>
          <th scope="col" title="Turns of the whole corpus that would flip">
            Flips
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {suggestions.map((one) => (
          <tr key={`${one.domain} ${one.pattern}`}>
            <th scope="row">
              <Domain name={one.domain} />
              <code title={`log-odds ${one.logOdds.toFixed(2)}`}>{one.phrase}</code>
            </th>
            <td className="num">
              {count(one.trainOwn)} : {count(one.trainOther)}
            </td>
            <td className="num">
              {count(one.heldOwn)} : {count(one.heldOther)}
            </td>
            <td>
              <Share hits={one.heldAfter.hits} of={one.heldAfter.of} />
            </td>
            <td>
              <Delta by={one.heldAfter.hits - one.heldBefore.hits} />
            </td>
            <td className="num">{count(one.flips)}</td>
            <td>
              <AddButton suggestion={one} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function AddButton({ suggestion }: { readonly suggestion: Suggestion }) {
  const there = useLab((state) => state.text?.includes(suggestion.pattern) ?? false)
  return (
    <button
      type="button"
      className="button button-small"
      disabled={there}
      title={`Put ${suggestion.pattern} into the draft; nothing is saved`}
      onClick={() =>
        void addSignal(suggestion.domain, suggestion.pattern, null).then(() => openDock('tune'))
      }
    >
      <Plus size={12} aria-hidden /> {there ? 'In the draft' : 'Add to draft'}
    </button>
  )
}
