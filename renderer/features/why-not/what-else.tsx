import type { Counterfactual } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import type { State } from '../../app/store.ts'
import { useSettled } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { sessionInView } from '../../stores/lab/corpus.ts'
import { useLab } from '../../stores/lab/store.ts'
import { LAB, Studied, useStudy } from '../../views/lab/studied.tsx'

/** A held key goes over many turns: only the one it rests on is asked about. */
const REST_MS = 220

function placeOf(state: State): string {
  return `${valueOf(state.document.opened)?.key ?? ''} ${state.session.index}`
}

/**
 * [T57] Changes that would have changed this turn, and the turns that each would also flip in the corpus. Without a
 * corpus, only a hint is shown.
 */
export function WhatElse({ turn }: { readonly turn: number }) {
  const corpus = useLab((state) => valueOf(state.corpus))
  const place = useApp(placeOf)
  const session = useApp((state) => (corpus ? sessionInView(corpus, state) : -1))
  const key = `${place} ${turn}`
  const rested = useSettled(key, REST_MS, null)
  if (!corpus || session < 0)
    return (
      <p className="quiet what-else-hint text-s pad">
        Open the dock (<kbd>d</kbd>) to see what each change would flip in the rest of the corpus.
      </p>
    )
  return rested === key ? <Asked key={key} session={session} turn={turn} /> : null
}

function Asked({ session, turn }: { readonly session: number; readonly turn: number }) {
  const asked = useStudy((about) =>
    call('lab.explain', { ...about, session, turn, domain: null }, LAB),
  )
  return (
    <Section title="What else would change" aside="over the corpus" className="what-else">
      <Studied asked={asked} idle="Trying changes on the corpus">
        {({ counterfactuals }) => {
          const shown = counterfactuals.filter(
            ({ edits, near }) => edits.length > 0 || near.length > 0,
          )
          return shown.length === 0 ? (
            <p className="quiet">No small change would make another domain the primary.</p>
          ) : (
            shown.map((one) => <Entry key={one.domain} entry={one} />)
          )
        }}
      </Studied>
    </Section>
  )
}

const MOST_NEAR = 4

function Entry({ entry }: { readonly entry: Counterfactual }) {
  return (
    <section className="what-else-entry text-s line-above" aria-label={`For ${entry.domain}`}>
      <h4 className="text-s">
        <Domain name={entry.domain} strong />
      </h4>
      <ul>
        {entry.edits.map((edit) => (
          <li key={`${edit.kind} ${edit.what} ${edit.to}`}>
            <Edit edit={edit} />
          </li>
        ))}
      </ul>
      {entry.near.length > 0 && (
        <ul>
          {entry.near.slice(0, MOST_NEAR).map(({ signal, id, pattern, missing }) => (
            <li key={signal} className="near flex gap-6 nowrap">
              <code className="truncate" title={pattern}>
                {id ?? pattern}
              </code>{' '}
              <span className="quiet truncate">
                {missing.length > 0
                  ? `misses ${missing.map((word) => `“${word}”`).join(' or ')}`
                  : 'almost matches: its words are here, the rest of the pattern does not fit'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Edit({ edit }: { readonly edit: Counterfactual['edits'][number] }) {
  const { kind, what, from, to, alsoFlips, fixed, broken } = edit
  return (
    <>
      {kind === 'remove_signals' && <span className="quiet">without </span>}
      <code>{what}</code>{' '}
      {kind === 'option' && (
        <>
          <span className="quiet">{from} →</span> <strong className="num">{to}</strong>
        </>
      )}
      {alsoFlips !== null && (
        <span className="quiet num">
          {' '}
          {alsoFlips === 0 ? 'flips nothing else' : `also flips ${counted(alsoFlips, 'turn')}`}
          {fixed !== null && broken !== null && fixed + broken > 0 && (
            <>
              : <span className="good">{count(fixed)} fixed</span>,{' '}
              <span className="bad">{count(broken)} broken</span>
            </>
          )}
        </span>
      )}
    </>
  )
}
