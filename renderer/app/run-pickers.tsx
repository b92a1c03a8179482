import type { HostInfo } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { counted } from '../ui/format.ts'
import { Chip } from '../ui/parts.tsx'
import { Picker } from '../ui/picker.tsx'
import { valueOf } from './async-data.ts'
import { runCommand } from './commands.ts'
import { type CompareChoice, compareName, compareValue } from './compared.ts'
import { gateOf } from './gate.ts'
import { defaultFirst } from './preset-order.ts'
import { useProfileAdvice } from './profile-choice.ts'
import { chooseCompare, chooseRun } from './replay.ts'
import type { RunChoice } from './store.ts'
import { useApp } from './use-store.ts'

const NONE = ' none'
const MORE = ' more'

/** Which preset the session is replayed under. */
export function PresetPicker() {
  const presets = useApp((state) => valueOf(state.document.info)?.presets)
  const preset = useApp((state) => state.view.run.preset)
  if (!presets) return null
  return (
    <Picker
      label="preset"
      className="picker-preset"
      value={preset}
      shown={<strong className="truncate">{preset}</strong>}
      options={defaultFirst(presets).map(({ name, help, differs }) => ({
        value: name,
        label: name,
        note: help,
        aside:
          differs.length > 0 ? (
            <span className="quiet">{counted(differs.length, 'option')} differ</span>
          ) : undefined,
      }))}
      onChoose={(value) => chooseRun({ preset: value })}
    />
  )
}

/** [K19] Picker of the domain file, or skill rules, that decides the session. Hidden if only the chosen one exists. */
export function DomainsPicker() {
  const files = useApp((state) => valueOf(state.document.info)?.domainFiles)
  const domains = useApp((state) => state.view.run.domains)
  if (!files || (files.length < 2 && files[0]?.name === domains)) return null
  return (
    <Picker
      label="domains"
      className="picker-domains"
      value={domains}
      shown={<strong className="truncate">{domains}</strong>}
      options={files.map(({ name, problem, kind, shown }) => ({
        value: name,
        label: name,
        note: problem ?? shown,
        aside:
          problem !== null ? (
            <Chip tone="bad">cannot be used</Chip>
          ) : kind === 'skill-rules' ? (
            <Chip>skill rules</Chip>
          ) : undefined,
      }))}
      onChoose={(value) => chooseRun({ domains: value })}
    />
  )
}

/** Choices of the header; everything else is chosen in the panel Compare and named here. */
function compareOptions(
  presets: Immutable<HostInfo>['presets'],
  run: RunChoice,
  compare: CompareChoice | null,
) {
  const listed = defaultFirst(presets).filter(({ name }) => name !== run.preset)
  const known = new Set([...listed.map(({ name }) => name), 'observed'])
  const own = compare && { value: compareValue(compare, run), label: compareName(compare, run) }
  return [
    { value: NONE, label: 'No comparison' },
    ...listed.map(({ name, help }) => ({ value: name, label: name, note: help })),
    {
      value: 'observed',
      label: 'What ran',
      note: 'What the file itself recorded, against what these rules say',
    },
    ...(own && !known.has(own.value) ? [{ ...own, note: 'Chosen in the panel Compare' }] : []),
    {
      value: MORE,
      label: 'Another side …',
      note: 'Domain files, revisions, the draft, and what causes the flips: the panel Compare',
    },
  ]
}

/** The other side that the session is compared with, and how many turns flip. */
export function ComparePicker() {
  const presets = useApp((state) => valueOf(state.document.info)?.presets)
  const compare = useApp((state) => state.view.compare)
  const run = useApp((state) => state.view.run)
  if (!presets) return null
  const value = compare ? compareValue(compare, run) : NONE
  return (
    <Picker
      label="compare"
      className="picker-compare"
      value={value}
      shown={
        compare ? (
          <ComparedWith name={compareName(compare, run)} preset={run.preset} />
        ) : (
          <span className="quiet">off</span>
        )
      }
      options={compareOptions(presets, run, compare)}
      onChoose={(chosen) => {
        if (chosen === MORE) runCommand('dock-compare')
        else if (chosen !== value) chooseCompare(chosen === NONE ? null : chosen)
      }}
    />
  )
}

function ComparedWith({ name, preset }: { readonly name: string; readonly preset: string }) {
  const replayed = useApp((state) => valueOf(state.session.replay))
  const sided = replayed?.oneSided ?? null
  const alone = sided ? sided.base + sided.other : 0
  const aloneText = sided
    ? `${counted(sided.base, 'turn')} only under ${preset}, ${counted(sided.other, 'turn')} only under ${name}`
    : ''
  const flips = replayed?.compare ? replayed.flips.length : null
  return (
    <>
      <strong className="truncate" title={name}>
        {name}
      </strong>
      {flips !== null && <Chip tone={flips > 0 ? 'warn' : 'plain'}>{counted(flips, 'flip')}</Chip>}
      {alone > 0 && (
        <span className="compare-alone" title={aloneText}>
          <Chip>+ {counted(alone, 'turn')} of one side</Chip>
        </span>
      )}
    </>
  )
}

const NO_PROFILE = {
  none: () => 'Nothing is disabled: every domain is enriched.',
  unknown: (model: string) =>
    `Nothing is disabled: every domain is enriched. There is no profile for ${model}, the session’s model.`,
}

/** Which model profile gates enrichment; a profile that gates nothing says so. */
export function ProfilePicker() {
  const profiles = useApp((state) => valueOf(state.document.info)?.profiles)
  const chosen = useApp((state) => state.view.run.profile)
  const advice = useProfileAdvice()
  if (!profiles) return null
  const current = profiles.find(({ name }) => name === chosen)
  const gate = current && gateOf(current)
  const suggested = 'profile' in advice ? advice.profile : null
  return (
    <Picker
      label="profile"
      className="picker-profile"
      value={chosen ?? NONE}
      shown={
        current && gate ? (
          <>
            <strong className="truncate">{current.name}</strong>
            <Chip tone={gate.tone}>{gate.pill}</Chip>
            {advice.kind === 'other_model' && (
              <Chip tone="warn" title={`The session’s model is ${advice.model}`}>
                other model
              </Chip>
            )}
          </>
        ) : chosen !== null ? (
          <>
            <strong className="truncate">{chosen}</strong>
            <Chip tone="bad">does not exist</Chip>
          </>
        ) : (
          <>
            <span className="quiet">none</span>
            {advice.kind === 'suggested' && <Chip tone="accent">{advice.profile}?</Chip>}
          </>
        )
      }
      options={[
        {
          value: NONE,
          label: 'No profile',
          note: NO_PROFILE[advice.kind === 'no_profile' ? 'unknown' : 'none'](
            'model' in advice ? advice.model : '',
          ),
        },
        ...profiles.map((profile) => {
          const { tone, pill, sentence } = gateOf(profile)
          return {
            value: profile.name,
            label: profile.name,
            note: sentence,
            aside: (
              <>
                {profile.name === suggested && <Chip tone="accent">this session’s model</Chip>}
                <Chip tone={tone}>{pill}</Chip>
              </>
            ),
          }
        }),
      ]}
      onChoose={(value) => chooseRun({ profile: value === NONE ? null : value })}
    />
  )
}
