import type { ProbeCacheState, ProbeResult } from '../../../core/engine/schema/probe.ts'
import { Section } from '../../ui/bits.tsx'
import { counted } from '../../ui/format.ts'

interface Props {
  readonly cache: ProbeCacheState
  readonly result: ProbeResult
}

type Entry = ProbeCacheState['entries'][number]

/** Entries that this message asks for first, then the others; each in the order of the cache. */
function ordered(
  entries: readonly Entry[],
  tested: readonly string[],
): readonly [used: readonly Entry[], rest: readonly Entry[]] {
  const asked = new Set(tested.map((phrase) => phrase.toLowerCase()))
  const isAsked = ({ phrase }: Entry) => asked.has(phrase.toLowerCase())
  return [entries.filter(isAsked), entries.filter((entry) => !isAsked(entry))]
}

/** What the session's cache held before this message (D17). */
export function ProbeCache({ cache, result }: Props) {
  const [used, rest] = ordered(cache.entries, result.phrases_tested)
  return (
    <Section
      title="Cache of the session"
      aside={`${counted(cache.size, 'phrase')} after ${counted(cache.turn, 'turn')}`}
    >
      {cache.size === 0 ? (
        <p className="quiet">
          Empty: this message is the first that was asked, or all have aged out.
        </p>
      ) : (
        <>
          {used.length === 0 && <p>It knew none of this message’s phrases.</p>}
          {used.length > 0 && (
            <Entries entries={used} label="Phrases of this message in the cache" />
          )}
          {rest.length > 0 && (
            <details className="fold">
              <summary>
                {counted(rest.length, 'other phrase')}
                {cache.size > cache.entries.length &&
                  `, the oldest of ${counted(cache.size, 'phrase')}`}
              </summary>
              <Entries entries={rest} label="Other phrases in the cache" />
            </details>
          )}
        </>
      )}
    </Section>
  )
}

function Entries({
  entries,
  label,
}: {
  readonly entries: readonly Entry[]
  readonly label: string
}) {
  return (
    <table className="probe-phrases text-s full-width" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">phrase</th>
          <th scope="col" title="Turns since it was asked, probed or skipped">
            age
          </th>
          <th scope="col" title="Turns for which its answer still counts">
            left
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ phrase, age, left }) => (
          <tr key={phrase}>
            <th scope="row">{phrase}</th>
            <td className="num">{counted(age, 'turn')}</td>
            <td className="num">{counted(left, 'turn')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
