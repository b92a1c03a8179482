import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

interface Props {
  readonly file: string
  readonly looking: boolean
  readonly onLook: () => void
  readonly onTake: () => void
  readonly onOverwrite: () => void
}

/** [F20] Shown if a file has changed since the operator started to edit it. Nothing is written before a choice. */
export function Conflict({ file, looking, onLook, onTake, onOverwrite }: Props) {
  return (
    <Banner tone="warn" urgent>
      <p>
        <strong>{file} was saved by another program meanwhile.</strong> Your text was not written,
        and is still here.
      </p>
      <span className="row wrap gap-8">
        <Button small aria-pressed={looking} onClick={onLook}>
          Look at the difference
        </Button>
        <Button small title="Your text stays in the history of drafts" onClick={onTake}>
          Take theirs
        </Button>
        <Button small title="What they saved is replaced" onClick={onOverwrite}>
          Overwrite theirs with mine
        </Button>
      </span>
    </Banner>
  )
}
