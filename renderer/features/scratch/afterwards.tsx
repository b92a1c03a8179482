import { ArrowRight } from 'lucide-react'
import { valueOf } from '../../app/async-data.ts'
import { selectSeq } from '../../app/select.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Pressable } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { type Pad, useScratch } from './pad.ts'

/** [U163] Later turns that are decided differently from the recording. */
export function Afterwards({ pad }: { readonly pad: Pad }) {
  const data = useScratch((state) => state.after)
  const after = valueOf(data)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  if (!after) return null
  const { turns, changed, rows } = after
  return (
    <section className="scratch-after" aria-label="Afterwards">
      <details>
        <summary className="pointer brighten">
          <h2 className="text-s">
            Afterwards:{' '}
            <strong>
              {changed === 0
                ? 'nothing changes'
                : `${count(changed)} of ${counted(turns, 'turn')} ${changed === 1 ? 'changes' : 'change'}`}
            </strong>{' '}
            <span className="quiet">
              {pad.written.length === 0 ? 'without the turn' : 'with what is written'}
            </span>
          </h2>
        </summary>
        <ul className="stack gap-2">
          {rows.map(({ seq, turn, was, is }) => (
            <li key={seq}>
              <Pressable
                className="row text-s full-width hoverable scratch-change"
                onClick={() => selectSeq(seq)}
              >
                <span className="num quiet">turn {count(turn + 1)}</span>
                <span className="truncate">{was}</span>
                <ArrowRight size={12} aria-label="becomes" className="no-shrink" />
                <strong className="truncate">{is}</strong>
              </Pressable>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
