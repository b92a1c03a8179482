import { useMemo } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { useLook } from '../../ui/use-look.ts'

const SAMPLES = 160

/** The session in one line: primary domain of its turns, in order, widths by length. */
export function DomainStrip() {
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  const look = useLook()
  const parts = useMemo(() => {
    if (!columns) return []
    const found: Array<{ from: number; domain: string; turns: number }> = []
    // Long sessions are sampled: the strip is 200 pixels wide.
    const step = Math.max(1, Math.ceil(columns.turns / SAMPLES))
    for (let turn = 0; turn < columns.turns; turn += step) {
      const domain = columns.domains[columns.primary[turn] ?? -1] ?? ''
      const last = found.at(-1)
      if (last?.domain === domain) last.turns += 1
      else found.push({ from: turn, domain, turns: 1 })
    }
    return found
  }, [columns])
  return (
    <span className="strip flex clip" aria-hidden>
      {parts.map(({ from, domain, turns }) => (
        <span key={from} style={{ flexGrow: turns, background: look(domain).color }} />
      ))}
    </span>
  )
}
