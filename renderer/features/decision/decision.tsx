import { ArrowRight } from 'lucide-react'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { runCommand } from '../../app/commands.ts'
import { valueOf } from '../../app/async-data.ts'
import { flipAt, flipRun } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { counted } from '../../ui/format.ts'
import { Classified } from './classified.tsx'
import { Injected, Written } from './injected.tsx'
import { Scores } from './scores.tsx'
import { Signals } from './signals.tsx'
import { TurnLine } from '../../app/turn-line.tsx'
import './decision.css'

interface Props {
  readonly trace: TurnTrace
}

/** The verdict and its reason, then every piece of evidence behind it. */
export function Decision({ trace }: Props) {
  return (
    <>
      <div className="verdict">
        <TurnLine trace={trace} />
        <h2 className="verdict-title">
          <Swatch domain={trace.primary.domain} />
          <span className="truncate">{trace.primary.domain}</span>
          {trace.secondary && <span className="verdict-plus">+ {trace.secondary.domain}</span>}
        </h2>
        <p className="verdict-reason">{trace.momentum.reason}</p>
        <OtherPreset trace={trace} />
        <Warnings trace={trace} />
      </div>
      <Scores trace={trace} />
      <Signals trace={trace} />
      <Classified trace={trace} />
      <Injected trace={trace} />
      <Written trace={trace} />
    </>
  )
}

const none: readonly string[] = []

/** Warnings of this turn; those of the profile stand in a banner already. */
function Warnings({ trace }: Props) {
  const ofProfile = useApp((state) => {
    const profiles = valueOf(state.document.info)?.profiles
    return profiles?.find(({ name }) => name === state.view.run.profile)?.gate.warnings ?? none
  })
  return trace.warnings
    .filter((warning) => !ofProfile.includes(warning))
    .map((warning) => (
      <p key={warning} className="warning">
        {warning}
      </p>
    ))
}

/** What the compared preset makes of the same turn, where it differs. */
function OtherPreset({ trace }: Props) {
  const replayed = useApp((state) => valueOf(state.session.replay))
  const other = useApp((state) => valueOf(state.session.otherTrace))
  if (!replayed?.compare) return null
  const flip = flipAt(replayed.flips, trace.turn)
  const { compare } = replayed
  const { preset } = compare.config
  if (!flip)
    return (
      <p className="quiet text-s">
        {preset} decides the same.{' '}
        <button type="button" className="link" onClick={() => runCommand('next-flip')}>
          Next flip
        </button>
      </p>
    )
  const primary = compare.domains[compare.primary[trace.turn] ?? -1] ?? ''
  const secondary = compare.domains[compare.secondary[trace.turn] ?? -1]
  const run = flipRun(replayed, trace.turn)
  const reason = other?.turn === trace.turn ? other.momentum.reason : null
  return (
    <div className="other-preset on-panel2 pad-9-12 stack text-s gap-5">
      <p className="other-line row wrap">
        <strong>{preset}</strong>
        <ArrowRight size={13} aria-label="decides" />
        <Domain name={primary} strong />
        {secondary !== undefined && <span className="quiet">+ {secondary}</span>}
      </p>
      <p className="quiet">
        {reason !== null && `${reason} `}
        {flip.cause === 'direct'
          ? 'The two presets judge this very text differently'
          : `Only what was carried in from turn ${flip.since + 1} differs`}
        {run > 1 ? `; they differ for ${counted(run, 'turn')} from here.` : '.'}
      </p>
      <p>
        <button type="button" className="link" onClick={() => runCommand('next-flip')}>
          Next flip
        </button>{' '}
        <span className="quiet">·</span>{' '}
        <button type="button" className="link" onClick={() => runCommand('previous-flip')}>
          previous
        </button>
      </p>
    </div>
  )
}
