import { useMemo } from 'react'
import { call } from '../../app/question.ts'
import { useApp } from '../../app/use-store.ts'
import { useQuery } from '../../app/use-query.ts'
import { replayedOf } from '../../app/verdicts.ts'
import { inForce } from '../../app/wire.ts'
import { Answered, Empty } from '../../ui/answered.tsx'
import { bisect } from '../../ui/sorted.ts'
import { ContextView } from './context-view.tsx'
import './context.css'

/** [X12] Context of the model call that answers the selected event. */
export function ContextTab() {
  const about = useApp(inForce)
  const seq = useApp((state) => state.view.selected)
  const question = useMemo(() => {
    if (about === null || seq === null) return null
    const profile = about.config.profile
    const input = { ...about.address, seq, profile }
    return call('context.call', input, { where: 'Context', of: about.of })
  }, [about, seq])
  const { data, again } = useQuery(question)
  const turns = useApp((state) => replayedOf(state)?.columns.seq)
  const turnOf = (at: number) => {
    const turn = bisect(turns?.length ?? 0, (each) => (turns?.[each] ?? 0) <= at)
    return turn === 0 ? null : turn
  }
  if (question === null)
    return <Empty of="inspector">Select an event to see what was in the context.</Empty>
  return (
    <Answered data={data} retry={again} stale={() => data.status === 'loading'}>
      {(answer) => <ContextView answer={answer} turnOf={turnOf} />}
    </Answered>
  )
}
