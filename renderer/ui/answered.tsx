import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AsyncData, type Failure, valueOf } from '../app/async-data.ts'
import { Button, classes } from './button.tsx'
import { ProgressView } from './progress.tsx'
import { visible } from './visible.ts'

/** Shows a failure: the cause, the place, and what to do about it. */
export function FailureNote({ failure }: { readonly failure: Failure }) {
  return (
    <div className="failure" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p>
          <strong>{visible(failure.what)}</strong>
        </p>
        {failure.where !== '' && <p className="mono failure-where">{visible(failure.where)}</p>}
        {failure.do !== '' && <p>{visible(failure.do)}</p>}
      </div>
    </div>
  )
}

const BONES = ['', 'bone-title', 'bone-long', 'bone-long', '', 'bone-long', 'bone-long'] as const

/** A panel before its content is here: the same places, so that little jumps. */
export function Skeleton() {
  return (
    <div className="inspector-skeleton stack" role="img" aria-busy aria-label="Loading">
      {BONES.map((look, at) => (
        <i key={at} className={classes('bone', look)} />
      ))}
    </div>
  )
}

type Place = 'list' | 'inspector' | 'dock'
const EMPTY = new Map<Place, string>([
  ['list', 'list-empty'],
  ['inspector', 'inspector-empty'],
  ['dock', 'dock-empty'],
])

interface EmptyProps {
  /** Place of the empty state: a list, a tab of the inspector, a panel of the dock. */
  readonly of?: Place
  readonly title?: string
  readonly children: ReactNode
}

/** Empty state: the reason and the remedy. Without a title it is one muted line. */
export function Empty({ of = 'list', title, children }: EmptyProps) {
  if (title === undefined) return <p className={`${EMPTY.get(of) ?? ''} quiet`}>{children}</p>
  return (
    <div className={EMPTY.get(of)}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

interface Shown<T> {
  readonly failure: Failure | null
  /** Null if there is no value, or if a failure replaces it. */
  readonly value: T | null
}

/** Place of a failure: instead of the previous value, above it, or only if there is none. */
export type FailurePlace = 'instead' | 'above' | 'else'

export function shownOf<T>(data: AsyncData<T>, place: FailurePlace): Shown<T> {
  const before = valueOf(data)
  if (data.status !== 'failed') return { failure: null, value: before }
  if (place === 'else' && before !== null) return { failure: null, value: before }
  return { failure: data.failure, value: place === 'above' ? before : null }
}

interface Props<T> {
  readonly data: AsyncData<T>
  readonly children: (value: T) => ReactNode
  /** Shown until the first answer. */
  readonly waiting?: ReactNode
  /** Asks again after a failure. */
  readonly retry?: () => void
  readonly failure?: FailurePlace
  /** True if the value belongs to an earlier selection. It is dimmed until the next one arrives. */
  readonly stale?: (value: T) => boolean
  /** Of the box around the value, which is there with `stale` only. */
  readonly className?: string
}

/** Data from the host in any of its states: under way, failed, or here. */
export function Answered<T>({ data, children, waiting = <Skeleton />, ...rest }: Props<T>) {
  const { failure, value } = shownOf(data, rest.failure ?? 'instead')
  const isStale = value !== null && rest.stale?.(value)
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      {failure && rest.retry && (
        <p className="again">
          <Button onClick={rest.retry}>Try again</Button>
        </p>
      )}
      {value === null ? (
        !failure && waiting
      ) : rest.stale ? (
        <div
          className={classes(rest.className, isStale === true && 'stale')}
          aria-busy={isStale === true || data.status === 'loading'}
        >
          {children(value)}
        </div>
      ) : (
        children(value)
      )}
    </>
  )
}

interface ComputedProps<T> extends Pick<Props<T>, 'data' | 'children'> {
  readonly cancel: () => void
  /** Description of the computation, for the progress line. */
  readonly idle: string
}

/** The same for answers that take their time: progress with Cancel, the answer before stays meanwhile. */
export function Computed<T>({ data, cancel, idle, children }: ComputedProps<T>) {
  const isFirst = valueOf(data) === null
  return (
    <div className="column fill relative" aria-busy={data.status === 'loading'}>
      <div className="studied-progress">
        <ProgressView data={data} idle={idle} onCancel={cancel} after={isFirst ? 150 : 700} />
      </div>
      <Answered
        data={data}
        failure="above"
        waiting={data.status === 'idle' && <Empty>Nothing yet.</Empty>}
      >
        {children}
      </Answered>
    </div>
  )
}

/** [U220] Shown in place of numbers that were computed for other files or another configuration. */
export function Updating() {
  return (
    <p className="list-empty quiet" role="status" aria-busy>
      Updating …
    </p>
  )
}
