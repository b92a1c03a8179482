import { useRef, useState } from 'react'
import type { Failure } from '../../app/async-data.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Select } from '../../ui/form.tsx'
import { keep } from './state.ts'
import { useScratch } from './pad.ts'

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,79}$/u

/** [U164] A session of the workspace, or a case: a session whose last turn has a label. */
export function KeepDialog({ onClose }: { readonly onClose: () => void }) {
  const names = useApp(domainNames)
  const isEmpty = useScratch(({ pad }) => pad?.written.length === 0)
  const [name, setName] = useState('')
  const [label, setLabel] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const isGood = NAME.test(name)
  const submit = async () => {
    setBusy(true)
    const failed = await keep(name, label)
    setBusy(false)
    setFailure(failed)
    if (failed === null) onClose()
  }
  return (
    <Dialog title="Keep the scratch session" first={first} onClose={onClose}>
      <form
        className="stack gap-12 pad-main"
        onSubmit={(event) => {
          event.preventDefault()
          if (isGood && !isBusy) void submit()
        }}
      >
        <Field
          label="Name"
          error={name === '' || isGood ? null : 'Letters, digits, blanks, - _ . only.'}
          hint={
            <p className="quiet text-s">
              It becomes sessions/{name || 'NAME'}.jsonl of the workspace.
            </p>
          }
        >
          <Input ref={first} value={name} maxLength={80} autoComplete="off" onText={setName} />
        </Field>
        <Field label="The last turn should have been">
          <Select
            value={label}
            options={[null, ...names]}
            words={(option) => option ?? 'no label'}
            disabled={isEmpty}
            onChoose={setLabel}
          />
        </Field>
        {failure && <FailureNote failure={failure} />}
        <p className="row gap-8">
          <Button kind="primary" type="submit" disabled={!isGood || isBusy || isEmpty}>
            {label === null ? 'Keep as a session' : 'Keep as a labelled case'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </p>
        {isEmpty && <p className="quiet text-s">Add a turn first: there is nothing to keep yet.</p>}
      </form>
    </Dialog>
  )
}
