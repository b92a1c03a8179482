import { valueOf } from '../../app/async-data.ts'
import { useProbe } from '../probe/store.ts'

interface Props {
  readonly label: string
  /** Null = the one in use. */
  readonly value: string | null
  readonly onChoose: (name: string | null) => void
}

/** Chooses an embedder that is there; the one in use is named. */
export function EmbedderSelect({ label, value, onChoose }: Props) {
  const known = useProbe((state) => valueOf(state.embedders))
  const usable = known?.embedders.filter(({ state }) => state === 'ready' || state === 'not_loaded')
  const current = known?.embedders.find(({ name }) => name === known.current)
  return (
    <label className="inline-field">
      <span>{label}</span>
      <select
        className="field"
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{current?.title ?? 'the one in use'} (in use)</option>
        {usable
          ?.filter(({ name }) => name !== known?.current)
          .map(({ name, title, remote }) => (
            <option key={name} value={name}>
              {title}
              {remote ? ' (texts leave this machine)' : ''}
            </option>
          ))}
      </select>
    </label>
  )
}
