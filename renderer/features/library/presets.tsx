import { valueOf } from '../../app/async-data.ts'
import { gateOf } from '../../app/gate.ts'
import { defaultFirst } from '../../app/preset-order.ts'
import { chooseRun } from '../../app/replay.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { Entry, Group } from './entry.tsx'

/** Presets that a session is replayed with. */
export function Presets() {
  const info = useApp((state) => valueOf(state.document.info))
  const preset = useApp((state) => state.view.run.preset)
  if (!info) return null
  return (
    <Group title="Presets">
      {defaultFirst(info.presets).map(({ name, help, differs }) => (
        <Entry
          key={name}
          current={name === preset}
          title={name}
          note={
            differs.length === 0
              ? help
              : differs.map(({ option, value }) => `${option} ${value}`).join(' · ')
          }
          aside={
            differs.length > 0 ? (
              <span className="quiet num text-xs">{counted(differs.length, 'change')}</span>
            ) : (
              <span className="quiet text-xs">default</span>
            )
          }
          onClick={() => chooseRun({ preset: name })}
        />
      ))}
    </Group>
  )
}

/** Model profiles, with the enrichments that each gates in effect. */
export function Profiles() {
  const profiles = useApp((state) => valueOf(state.document.info)?.profiles)
  const chosen = useApp((state) => state.view.run.profile)
  if (!profiles || profiles.length === 0) return null
  return (
    <Group title="Model profiles">
      {profiles.map((profile) => {
        const gate = gateOf(profile)
        const current = profile.name === chosen
        return (
          <Entry
            key={profile.name}
            current={current}
            title={profile.name}
            note={gate.broken ? gate.sentence : undefined}
            aside={<Chip tone={gate.tone}>{gate.pill}</Chip>}
            onClick={() => chooseRun({ profile: current ? null : profile.name })}
          />
        )
      })}
    </Group>
  )
}
