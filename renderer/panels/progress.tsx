import { useEffect, useState } from 'react'
import type { AsyncData, Progress } from '../state/async-data.ts'
import { bytes, count } from '../ui/format.ts'

const PHASES: Record<Progress['phase'], string> = {
  reading: 'Reading',
  importing: 'Importing',
  replaying: 'Replaying turns',
  comparing: 'Comparing',
}

interface Props {
  readonly data: AsyncData<unknown>
  readonly idle: string
  readonly onCancel: () => void
}

/** Work under way: phase, how far, how fast, time left, Cancel. Nothing for the first 150 ms. */
export function ProgressView({ data, idle, onCancel }: Props) {
  const [now, setNow] = useState(() => performance.now())
  const loading = data.status === 'loading'
  useEffect(() => {
    if (!loading) return undefined
    const timer = setInterval(() => {
      setNow(performance.now())
    }, 150)
    return () => {
      clearInterval(timer)
    }
  }, [loading])
  if (data.status !== 'loading' || now - data.since < 150) return null
  const { progress, since } = data
  const share = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null
  return (
    <div className="progress">
      <div className="progress-line">
        <strong>{progress ? PHASES[progress.phase] : idle}</strong>
        <span className="quiet num">{progress ? pace(progress, (now - since) / 1000) : ''}</span>
        <button type="button" className="button button-small" onClick={onCancel}>
          Cancel
        </button>
      </div>
      <div
        className={share === null ? 'progress-bar progress-unknown' : 'progress-bar'}
        role="progressbar"
        aria-label={progress ? PHASES[progress.phase] : idle}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
      >
        <i style={{ width: share === null ? '30%' : `${share * 100}%` }} />
      </div>
    </div>
  )
}

/** `42 of 128 MB · 61 MB/s · 2 s left`. */
function pace(progress: Progress, seconds: number): string {
  const inBytes = progress.phase === 'reading' || progress.phase === 'importing'
  const show = inBytes ? bytes : (value: number) => count(Math.round(value))
  const rate = seconds > 0 ? progress.done / seconds : 0
  const parts = [`${show(progress.done)} of ${show(progress.total)}`]
  if (rate > 0) {
    parts.push(`${show(rate)}${inBytes ? '' : ' turns'}/s`)
    const left = Math.ceil((progress.total - progress.done) / rate)
    if (left > 0) parts.push(`${count(left)} s left`)
  }
  return parts.join(' · ')
}
