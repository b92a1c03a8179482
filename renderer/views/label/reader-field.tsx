import { useState } from 'react'
import { Input, Labelled } from '../../ui/form.tsx'
import { setReader, useReader } from '../../stores/label/reader.ts'

/** [L85] The name that labels of this browser are signed with. */
export function ReaderField() {
  const name = useReader((state) => state.name)
  const [text, setText] = useState(name ?? '')
  return (
    <Labelled label="Reader" className="full-width">
      <Input
        className="field-small grow"
        value={text}
        placeholder="your name, for two readers"
        title="Labels are signed with it; you see your own, not those of others, and what was settled"
        onText={setText}
        onBlur={() => setReader(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
    </Labelled>
  )
}
