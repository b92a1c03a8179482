import type { LabMetrics } from '../../../core/engine/schema/lab.ts'
import { useLook } from '../../ui/use-look.ts'
import { count } from '../../ui/format.ts'
import { Swatch } from '../../ui/domain.tsx'
import type { StudyProps } from './study-props.ts'

/** Labelled against decided: the diagonal is right, every cell opens its turns. */
export function Confusion({ metrics, onBehind }: StudyProps & { readonly metrics: LabMetrics }) {
  const look = useLook()
  const { confusion, domains } = metrics
  const cells = new Map(
    confusion.map((cell) => [`${cell.expected}\n${cell.predicted}`, cell.count]),
  )
  const occurs = new Set(confusion.flatMap(({ expected, predicted }) => [expected, predicted]))
  const names = [
    ...domains.map(({ domain }) => domain).filter((name) => occurs.has(name)),
    ...[...occurs].filter((name) => !domains.some(({ domain }) => domain === name)),
  ]
  const most = Math.max(1, ...confusion.map((cell) => cell.count))
  return (
    <div
      className="confusion-scroll scroll"
      tabIndex={0}
      role="region"
      aria-label="Confusion matrix"
    >
      <table className="confusion text-s">
        <thead>
          <tr>
            <td className="quiet">labelled ↓ decided →</td>
            {names.map((name) => (
              <th key={name} scope="col" title={name}>
                <Swatch domain={name} />
                <span className="visually-hidden">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((expected) => (
            <tr key={expected}>
              <th scope="row">
                <Swatch domain={expected} />
                <span className="truncate">{expected}</span>
              </th>
              {names.map((predicted) => {
                const number = cells.get(`${expected}\n${predicted}`) ?? 0
                const right = expected === predicted
                const color = right ? 'var(--good)' : look(predicted).color
                return (
                  <td key={predicted}>
                    {number > 0 && (
                      <button
                        type="button"
                        className={
                          right
                            ? 'cell full-height full-width text-center cell-right num'
                            : 'cell full-height full-width text-center num'
                        }
                        style={{
                          '--cell': color,
                          '--heat': `${12 + 48 * Math.sqrt(number / most)}%`,
                        }}
                        title={`${expected} decided as ${predicted}: show the turns`}
                        onClick={() =>
                          onBehind({
                            title: right
                              ? `${expected}, rightly`
                              : `labelled ${expected}, decided ${predicted}`,
                            cell: { kind: 'confusion', expected, predicted },
                          })
                        }
                      >
                        {count(number)}
                      </button>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
