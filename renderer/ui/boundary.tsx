import { Component, type ReactNode } from 'react'
import { FailureNote } from './answered.tsx'
import { Button } from './button.tsx'

interface Props {
  /** The part of the window, as people know it. */
  readonly where: string
  /** The value rendered; a different value retries automatically. */
  readonly of?: unknown
  /** Closes the panel, if it can be closed. Without it, the button tries again. */
  readonly onClose?: (() => void) | undefined
  readonly onCrash?: (() => void) | undefined
  readonly children: ReactNode
}

interface State {
  readonly crash: string | null
}

/**
 * [U14] Limits an error to one part of the window. The error is shown here and sent to no server. React can catch
 * errors of components only with a class.
 */
export class Boundary extends Component<Props, State> {
  override state: State = { crash: null }

  static getDerivedStateFromError(error: unknown): State {
    return { crash: error instanceof Error ? error.message : String(error) }
  }

  override componentDidCatch(): void {
    this.props.onCrash?.()
  }

  override componentDidUpdate(before: Props): void {
    if (before.of !== this.props.of && this.state.crash !== null) this.setState({ crash: null })
  }

  override render(): ReactNode {
    const { crash } = this.state
    const { where, onClose, children } = this.props
    if (crash === null) return children
    const advice = onClose ? 'Close it' : 'Try again, or select something else'
    return (
      <div className="pad stack gap-8">
        <FailureNote
          failure={{
            what: `This part of the window could not be shown (${crash.slice(0, 300)})`,
            where,
            do: `${advice}; the rest of the window is not affected`,
          }}
        />
        <p className="again">
          <Button onClick={onClose ?? (() => this.setState({ crash: null }))}>
            {onClose ? 'Close' : 'Try again'}
          </Button>
        </p>
      </div>
    )
  }
}
