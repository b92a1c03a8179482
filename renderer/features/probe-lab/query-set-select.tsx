import { counted } from '../../ui/format.ts'

interface Props {
  readonly sets: ReadonlyArray<{ readonly name: string; readonly queries: number }>
  readonly value: string
  readonly onChoose: (name: string) => void
}

export function QuerySetSelect({ sets, value, onChoose }: Props) {
  return (
    <label className="inline-field">
      <span>Queries</span>
      <select className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
        {sets.map(({ name, queries }) => (
          <option key={name} value={name}>
            {name} ({counted(queries, 'query', 'queries')})
          </option>
        ))}
      </select>
    </label>
  )
}
