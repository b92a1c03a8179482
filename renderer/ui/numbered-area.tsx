import { type RefObject, useRef } from 'react'
import { TextArea } from './form.tsx'

interface Props {
  readonly text: string
  readonly label: string
  readonly onText: (text: string) => void
  readonly editor: RefObject<HTMLTextAreaElement | null>
}

/** A text with the numbers of its lines: faults name them. Long lines are not wrapped. */
export function NumberedArea({ text, label, onText, editor }: Props) {
  const numbers = useRef<HTMLPreElement>(null)
  const lines = text.split('\n').length
  return (
    <div className="numbered fill flex rounded on-bg">
      <pre
        ref={numbers}
        className="numbered-lines text-code no-shrink quiet text-end clip num"
        aria-hidden
      >
        {Array.from({ length: lines }, (_, at) => at + 1).join('\n')}
      </pre>
      <TextArea
        className="area-mono numbered-text shrink scroll"
        ref={editor}
        aria-label={label}
        wrap="off"
        value={text}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop
        }}
        onText={onText}
      />
    </div>
  )
}
