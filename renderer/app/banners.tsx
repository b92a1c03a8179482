import { useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { counted } from '../ui/format.ts'
import { WorkLine } from '../ui/progress.tsx'
import { act } from './tell.ts'
import { has } from './api.ts'
import { valueOf } from './async-data.ts'
import { gateOf } from './gate.ts'
import { cancelGrowth, openSource } from './open.ts'
import { sourceName } from './source-name.ts'
import { useProfileAdvice } from './profile-choice.ts'
import { chooseRun } from './replay.ts'
import { Slot } from './slot.tsx'
import { seenRestart } from './stick.ts'
import { isMappable, patchView, store } from './store.ts'
import { linkOf } from './url.ts'
import { useApp } from './use-store.ts'
import { replayedOf } from './verdicts.ts'
import { visible, shortName } from '../ui/visible.ts'

/** Warnings that the operator must not overlook: a profile that gates nothing, skipped lines, patterns cut off. */
export function Banners() {
  return (
    <>
      <LackBanner />
      <Slot name="Banner" />
      <GrowthLine />
      <GateBanner />
      <ProfileBanner />
      <FollowBanner />
      <ProblemBanner />
      <ReplayBanner />
    </>
  )
}

/** [U120] A page without texts says so where texts would be; its library says the rest. */
function LackBanner() {
  const [dismissed, setDismissed] = useState(false)
  if (dismissed || has('text')) return null
  return (
    <Banner tone="warn" onDismiss={() => setDismissed(true)}>
      <strong>What was said was left out of this page.</strong> Dots stand for it. Every decision is
      the one that was recorded; signals cannot be edited and tried, and what reads the words
      (prompts, self-signals, coach, finding words) is not here.
    </Banner>
  )
}

/**
 * [U1] Progress of reading the rest of the file while the first turns are shown, and the place where reading stopped.
 */
function GrowthLine() {
  const growth = useApp((state) => state.document.growth)
  const opened = useApp((state) => valueOf(state.document.opened))
  const source = useApp((state) => state.document.source)
  const pending = useApp((state) => state.document.pending)
  const idle = pending === null ? 'Reading the rest' : `Opening ${visible(sourceName(pending))}`
  if (growth)
    return (
      <div className="growth">
        <WorkLine work={growth} idle={idle} onCancel={cancelGrowth} />
      </div>
    )
  if (!opened || opened.complete || !source) return null
  return (
    <Banner tone="warn">
      <strong>Reading was stopped.</strong> What was read until then is shown; the rest of the file
      is not.{' '}
      <Button kind="link" onClick={() => openSource(source, linkOf(store.getState()))}>
        Read all of it
      </Button>
    </Banner>
  )
}

/** [U4] Reports the state of a file that is followed. */
function FollowBanner() {
  const { state } = useApp((now) => now.document.follow)
  if (state === 'gone')
    return (
      <Banner tone="warn">
        <strong>The file is gone.</strong> What was read stays here; it is read again when it comes
        back.
      </Banner>
    )
  if (state !== 'restarted') return null
  return (
    <Banner tone="warn" onDismiss={seenRestart}>
      <strong>The file was cut or replaced</strong> and was read again from its start.
    </Banner>
  )
}

/** [L10] Warning that the chosen profile does not gate all that it names. */
function GateBanner() {
  const profile = useApp((state) => {
    const profiles = valueOf(state.document.info)?.profiles
    return profiles?.find(({ name }) => name === state.view.run.profile)
  })
  const opened = useApp((state) => valueOf(state.document.opened) !== null)
  if (!profile || !opened) return null
  const gate = gateOf(profile)
  if (!gate.broken) return null
  return (
    <Banner tone={gate.tone === 'bad' ? 'bad' : 'warn'}>
      <strong>
        {gate.tone === 'bad'
          ? `Profile ${profile.name} gates nothing.`
          : `Profile ${profile.name} gates less than it lists.`}
      </strong>{' '}
      {gate.sentence}
    </Banner>
  )
}

/** [F60] There is a profile for the session's model, and it is not the one in force. */
function ProfileBanner() {
  const advice = useProfileAdvice()
  const chosen = useApp((state) => state.view.run.profile)
  const key = useApp((state) => valueOf(state.document.opened)?.key ?? null)
  const [dismissed, setDismissed] = useState<string | null>(null)
  const isSample = useApp((state) => state.document.source?.kind === 'sample')
  const known = JSON.stringify([key, chosen, advice])
  if (key === null || dismissed === known || !('profile' in advice)) return null
  const { profile, kind } = advice
  // A name that does not exist is a warning of the replay, with or without another one to offer.
  if (profile === null) return null
  // No banner for a sample: its description says how to open it best, and the picker still names the profile.
  if (isSample && kind === 'suggested') return null
  return (
    <Banner tone="warn" onDismiss={() => setDismissed(known)}>
      {kind === 'suggested' && (
        <>
          <strong>No model profile is chosen</strong>, so no domain is disabled. The session’s model
          is {visible(advice.model)}.{' '}
        </>
      )}
      {kind === 'other_model' && (
        <>
          <strong>The profile {chosen} is for another model.</strong> The session’s is{' '}
          {visible(advice.model)}.{' '}
        </>
      )}
      {kind === 'missing' && <strong>The profile {chosen} does not exist. </strong>}
      <Button kind="link" onClick={() => chooseRun({ profile })}>
        Use {profile}
      </Button>
    </Banner>
  )
}

function ProblemBanner() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const [dismissed, setDismissed] = useState<string | null>(null)
  if (!opened || opened.problems === 0 || dismissed === opened.key) return null
  return (
    <Banner tone="warn" onDismiss={() => setDismissed(opened.key)}>
      {counted(opened.problems, 'line')} could not be read; the rest is shown.{' '}
      <Button kind="link" onClick={() => patchView({ dialog: 'problems' })}>
        Show them
      </Button>
    </Banner>
  )
}

const SHOWN_WARNINGS = 2

function ReplayBanner() {
  const profile = useApp((state) => state.view.run.profile)
  const replayed = useApp(replayedOf)
  const failure = useApp((state) =>
    state.session.replay.status === 'failed' ? state.session.replay.failure : null,
  )
  if (failure)
    return (
      <Banner tone="bad">
        <strong>{failure.what}.</strong> {failure.do}
      </Banner>
    )
  const cut = replayed?.columns.cutOffs ?? []
  // The profile's own warnings have a separate banner.
  const warnings = (replayed?.columns.warnings ?? []).filter(
    (warning) => profile === null || !warning.startsWith(`${profile}: `),
  )
  if (cut.length === 0 && warnings.length === 0) return null
  const [first] = cut
  return (
    <Banner tone="warn">
      {first && (
        <p>
          {counted(cut.length, 'pattern')} took too long and {cut.length === 1 ? 'was' : 'were'} cut
          off, first <code>{first.pattern}</code> of {shortName(first.domain)} in turn{' '}
          {first.turn + 1}.
        </p>
      )}
      {warnings.slice(0, SHOWN_WARNINGS).map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {warnings.length > SHOWN_WARNINGS && (
        <p title={warnings.slice(SHOWN_WARNINGS).join('\n')}>
          and {counted(warnings.length - SHOWN_WARNINGS, 'more warning')}
        </p>
      )}
    </Banner>
  )
}

/** Notice of a failure or a completed action, shown over any view. */
export function NoticeBanner() {
  const notice = useApp((state) => state.view.notice)
  const refused = useApp((state) => state.document.refused)
  if (!notice) return null
  return (
    <Banner tone={notice.isDone ? 'good' : 'bad'} onDismiss={() => patchView({ notice: null })}>
      <strong>
        {visible(notice.where)}: {visible(notice.what)}.
      </strong>{' '}
      {notice.do}{' '}
      {refused?.failure === notice && isMappable(refused.source) && has('machine') && (
        <Button kind="link" onClick={() => act('write-mapping', refused.source)}>
          Write a mapping
        </Button>
      )}
    </Banner>
  )
}
