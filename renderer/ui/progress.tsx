import { useEffect, useState } from 'react'
import type { AsyncData, Progress, Work } from '../app/async-data.ts'
import { Button, classes } from './button.tsx'
import { bytes, count, timeLeft } from './format.ts'

const PHASES: Record<Progress['phase'], string> = {
  reading: 'Reading',
  importing: 'Importing',
  replaying: 'Replaying turns',
  comparing: 'Comparing',
  switching: 'Switching one option at a time',
  scanning: 'Looking through the folder',
  finding: 'Finding',
  reviewing: 'Looking for what to take out',
  writing: 'Writing',
  judging: 'Judging outputs',
  probing: 'Probing messages',
  indexing: 'Indexing',
  downloading: 'Downloading',
  measuring: 'Measuring',
  embedding: 'Reading turns with the sentence model',
}

/** Units of `done` and `total` in each phase; '' = bytes. */
const UNITS: Record<Progress['phase'], string> = {
  reading: '',
  importing: '',
  replaying: 'turns',
  comparing: 'turns',
  switching: 'runs',
  scanning: 'files',
  finding: '',
  reviewing: 'records',
  writing: 'records',
  judging: 'outputs',
  probing: 'messages',
  indexing: 'chunks',
  downloading: '',
  measuring: 'queries',
  embedding: 'turns',
}

interface Props {
  readonly data: AsyncData<unknown>
  readonly idle: string
  readonly onCancel: () => void
  /** Work shorter than this is not shown. */
  readonly after?: number | undefined
}

/** Work under way: phase, how far, how fast, time left, Cancel. Nothing for the first 150 ms. */
export function ProgressView({ data, idle, onCancel, after = 150 }: Props) {
  const [now, setNow] = useState(() => performance.now())
  const loading = data.status === 'loading'
  useEffect(() => {
    if (!loading) return undefined
    const timer = setInterval(() => setNow(performance.now()), 150)
    return () => clearInterval(timer)
  }, [loading])
  if (data.status !== 'loading' || now - data.since < after) return null
  return <WorkLine work={data} idle={idle} onCancel={onCancel} />
}

interface WorkProps {
  readonly work: Work
  readonly idle: string
  readonly onCancel: () => void
}

/** The same for work that is known to take its time. */
export function WorkLine({ work, idle, onCancel }: WorkProps) {
  const { progress } = work
  const share = shareOf(progress)
  const words = progress ? PHASES[progress.phase] : idle
  return (
    <div className="progress">
      <div className="progress-line">
        <strong>{words}</strong>
        <span className="quiet num">{progress ? paceOf(progress, work.rate) : ''}</span>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <Bar label={words} share={share} />
    </div>
  )
}

/** Progress of the work, 0 to 1; null while its size is unknown. */
export function shareOf(progress: Progress | null): number | null {
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null
}

interface BarProps {
  readonly label: string
  /** 0 to 1; null if the progress is unknown. */
  readonly share: number | null
  readonly className?: string
}

export function Bar({ label, share, className = 'progress-bar meter' }: BarProps) {
  return (
    <div
      className={classes(className, share === null && 'progress-unknown')}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
    >
      <i style={{ width: share === null ? '30%' : `${share * 100}%` }} />
    </div>
  )
}

/** [U2] `42 of 128 MB · 61 MB/s · 2 s left`. */
export function paceOf(progress: Progress, rate: number): string {
  const unit = UNITS[progress.phase]
  const show = unit === '' ? bytes : (value: number) => count(Math.round(value))
  const parts = [`${show(progress.done)} of ${show(progress.total)}`]
  if (rate > 0) {
    // Less than one a second would be shown as none.
    if (unit === '' || rate >= 1) parts.push(`${show(rate)}${unit === '' ? '' : ` ${unit}`}/s`)
    const left = timeLeft((progress.total - progress.done) / rate)
    if (left !== '') parts.push(left)
  }
  return parts.join(' · ')
}
