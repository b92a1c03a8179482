import { ArrowRight } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { Flip } from '../../../core/engine/schema/replay.ts'
import type { WireCompared } from '../../app/compared.ts'
import type { OfTurn } from '../../app/feature.ts'
import { valueOf } from '../../app/async-data.ts'
import { runCommand } from '../../app/commands.ts'
import { flipRun } from '../../app/selectors.ts'
import { otherSide, otherTurnOf } from '../../app/verdicts.ts'
import { flipAt } from '../../timeline/data.ts'
import { TurnLine } from '../../app/turn-line.tsx'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { MarkedText } from '../../ui/marked-text.tsx'
import { Section, Warnings } from '../../ui/parts.tsx'
import { Edited } from './edited.tsx'
import { Injected, Written } from './injected.tsx'
import { Scores, Signals } from './scores.tsx'
import { Name } from '../../ui/name.tsx'

/** The verdict and its reason, then every piece of evidence behind it. */
export function Decision({ trace }: OfTurn) {
  return (
    <>
      <div className="verdict">
        <TurnLine trace={trace} />
        <h2 className="verdict-title">
          <Swatch domain={trace.primary.domain} />
          <Name text={trace.primary.domain} className="truncate" />
          {trace.secondary && (
            <span className="verdict-plus">
              + <Name text={trace.secondary.domain} />
            </span>
          )}
        </h2>
        <p className="verdict-reason">{trace.momentum.reason}</p>
        <OtherPreset trace={trace} />
        <TurnWarnings trace={trace} />
      </div>
      <Scores trace={trace} />
      <Signals trace={trace} />
      <Classified trace={trace} />
      <Edited trace={trace} />
      <Injected trace={trace} />
      <Written trace={trace} />
    </>
  )
}

const none: readonly string[] = []

/** Warnings of this turn. Those of the profile already appear in a banner. */
function TurnWarnings({ trace }: OfTurn) {
  const ofProfile = useApp((state) => {
    const profiles = valueOf(state.document.info)?.profiles
    return profiles?.find(({ name }) => name === state.view.run.profile)?.gate.warnings ?? none
  })
  return <Warnings texts={trace.warnings.filter((warning) => !ofProfile.includes(warning))} />
}

/** The other side's decision for the same turn, if it differs. */
function OtherPreset({ trace }: OfTurn) {
  const replayed = useApp((state) => valueOf(state.session.replay))
  if (!replayed?.compare) return null
  const name = replayed.other?.name ?? replayed.compare.config.preset
  const isRecord = isObserved(replayed.other?.wire)
  const flip = flipAt(replayed.flips, trace.turn)
  const there = flip && otherSide(replayed, flip.other)
  if (!there) {
    const isAlone = otherTurnOf(replayed, trace.seq) === null
    return (
      <p className="quiet text-s">
        {ALIKE[isRecord ? 'record' : 'rules'][isAlone ? 'alone' : 'same'](name)}{' '}
        <Button kind="link" onClick={() => runCommand('next-flip')}>
          Next flip
        </Button>
      </p>
    )
  }
  return (
    <div className="other-preset on-panel2 pad-9-12 stack text-s gap-5">
      <p className="other-line row wrap">
        <strong>{name}</strong>
        <ArrowRight size={13} aria-label="decides" />
        <Domain name={there.primary} strong />
        {there.secondary !== null && <span className="quiet">+ {there.secondary}</span>}
        {there.turn !== trace.turn && !isRecord && (
          <span className="quiet num">its turn {count(there.turn + 1)}</span>
        )}
      </p>
      <p className="quiet">
        {isRecord ? 'So the file recorded it when it ran' : <WhyOther trace={trace} flip={flip} />}
        <FlipRun run={flipRun(replayed, trace.turn)} />
      </p>
      <p>
        <Button kind="link" onClick={() => runCommand('next-flip')}>
          Next flip
        </Button>{' '}
        <span className="quiet">·</span>{' '}
        <Button kind="link" onClick={() => runCommand('previous-flip')}>
          previous
        </Button>
      </p>
    </div>
  )
}

function isObserved(wire: WireCompared | undefined): boolean {
  return wire !== undefined && 'kind' in wire && wire.kind === 'observed'
}

type Told = (name: string) => string
const ALIKE: Readonly<Record<'record' | 'rules', Readonly<Record<'alone' | 'same', Told>>>> = {
  record: {
    alone: () => 'The file recorded nothing for this turn.',
    same: () => 'The file recorded the same.',
  },
  rules: {
    alone: (name) => `${name} does not classify this event: only this side has the turn.`,
    same: (name) => `${name} decides the same.`,
  },
}

/** Why rules of the other side decide otherwise. */
function WhyOther({ trace, flip }: OfTurn & { readonly flip: Flip }) {
  const other = useApp((state) => valueOf(state.session.otherTrace))
  return (
    <>
      {other?.seq === trace.seq && `${other.momentum.reason} `}
      {flip.cause === 'direct'
        ? 'The two sides judge this very text differently'
        : `Only what was carried in from turn ${flip.since + 1} differs`}
    </>
  )
}

function FlipRun({ run }: { readonly run: number }) {
  return run > 1 ? <>; they differ for {counted(run, 'turn')} from here.</> : <>.</>
}

/** The text that was scored, with the spans of every fired signal. */
function Classified({ trace }: OfTurn) {
  const domain = useApp((state) => state.view.domain)
  const signal = useApp((state) => state.view.signal)
  const box = useRef<HTMLPreElement>(null)
  const marks = useMemo(
    () =>
      trace.domains.flatMap((entry) =>
        entry.signals.flatMap((fired) =>
          fired.spans.map((span) => ({ span, domain: entry.domain, signal: fired.index })),
        ),
      ),
    [trace],
  )
  const focus = useMemo(
    () => (domain !== null && signal !== null ? { domain, signal } : null),
    [domain, signal],
  )
  useEffect(() => {
    if (focus) box.current?.querySelector('.matched-focus')?.scrollIntoView({ block: 'nearest' })
  }, [focus])
  const { chars, cutChars, thinkingChars, ansiChars, quotedChars } = trace.input
  return (
    <Section
      title="Classified text"
      aside={counted(trace.text.length, 'character')}
      copy={{ text: trace.text, what: 'text' }}
    >
      <pre
        ref={box}
        className="classified text-s edge scroll break-words rounded pre-wrap on-bg"
        tabIndex={0}
        aria-label="Classified text"
      >
        {trace.text === '' ? (
          <span className="quiet">(no text)</span>
        ) : (
          <MarkedText text={trace.text} marks={marks} focus={focus} />
        )}
      </pre>
      {cutChars > 0 && (
        <p className="warning">
          {count(cutChars)} of {count(chars)} characters in the middle were not classified: the
          preset takes head and tail only.
        </p>
      )}
      {thinkingChars > 0 && (
        <p className="quiet">
          {count(thinkingChars)} characters of thinking were removed before scoring.
        </p>
      )}
      {quotedChars > 0 && (
        <p className="quiet">
          {counted(quotedChars, 'character')} of quotations, fenced blocks or pasted logs were not
          scored.
        </p>
      )}
      {ansiChars > 0 && (
        <p className="quiet">
          {counted(ansiChars, 'character')} of terminal codes (colours, cursor moves) were removed
          before scoring.
        </p>
      )}
    </Section>
  )
}
