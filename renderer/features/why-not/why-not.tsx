import { useState } from 'react'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { has } from '../../app/api.ts'
import type { OfTurn } from '../../app/feature.ts'
import { chooseDomain, chooseTab } from '../../app/select.ts'
import { TurnLine } from '../../app/turn-line.tsx'
import { Button } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { counted, score } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { NewSignal } from './new-signal.tsx'
import { WhatElse } from './what-else.tsx'
import { Name } from '../../ui/name.tsx'

type Reason = TurnTrace['whyNot'][number]

/** For every other domain: why it is not the primary, and the least that would make it so. */
export function WhyNotTab({ trace }: OfTurn) {
  const near = trace.whyNot.filter((entry) => entry.score > 0 || entry.changes.length > 0)
  const far = trace.whyNot.filter((entry) => !near.includes(entry))
  return (
    <>
      <div className="verdict">
        <TurnLine trace={trace} />
        <p className="verdict-reason">
          The primary is{' '}
          <strong>
            <Name text={trace.primary.domain} />
          </strong>
          . Each change below was found by running the rules again; one alone is enough.
        </p>
      </div>
      {near.map((entry) => (
        <WhyNotEntry key={entry.domain} entry={entry} text={trace.text} />
      ))}
      {far.length > 0 && (
        <Section title="No signal in this text" aside={counted(far.length, 'domain')}>
          <ul className="far">
            {far.map((entry) => (
              <li key={entry.domain}>
                <Domain name={entry.domain} />
                <span className="quiet">{needed(entry)}</span>
                <Offer entry={entry} text={trace.text} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <WhatElse turn={trace.turn} />
    </>
  )
}

function needed(entry: Reason): string {
  if (entry.signalsNeeded === null) return 'no number of signals would do'
  return `needs ${counted(entry.signalsNeeded, 'more signal')}`
}

interface EntryProps {
  readonly entry: Reason
  /** The text that was classified. */
  readonly text: string
}

/** [T78] If another signal would suffice, offers to make one from this text's words. */
function Offer({ entry, text }: EntryProps) {
  const [open, setOpen] = useState(false)
  if (entry.signalsNeeded === null || text.trim() === '' || !has('edit')) return null
  return (
    <>
      <Button
        kind="link"
        className="nowrap"
        title="Make a signal of words of this text"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Cancel' : 'new signal …'}
      </Button>
      {open && <NewSignal domain={entry.domain} text={text} />}
    </>
  )
}

function WhyNotEntry({ entry, text }: EntryProps) {
  return (
    <section className="section" aria-label={`Why not ${entry.domain}`}>
      <header className="section-head">
        <h3 className="why-title">
          <Domain name={entry.domain} strong />
        </h3>
        <span className="section-aside num">score {score(entry.score)}</span>
      </header>
      <p>{entry.reason}</p>
      <ul className="changes">
        <li className={entry.signalsNeeded === null ? 'quiet' : undefined}>
          {needed(entry)} <Offer entry={entry} text={text} />
        </li>
        {entry.changes.map((change) => (
          <li key={`${change.what} ${change.to}`}>
            <code>{change.what}</code> <span className="quiet">{change.from} →</span>{' '}
            <strong className="num">{change.to}</strong>
          </li>
        ))}
      </ul>
      {entry.score > 0 && (
        <Button
          kind="link"
          onClick={() => {
            chooseTab('decision')
            chooseDomain(entry.domain)
          }}
        >
          Its signals in this text
        </Button>
      )}
    </section>
  )
}
