import { useId, useState } from 'react'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { setKey } from './settings.ts'
import { useCoach } from './store.ts'
import { failureOf } from '../../app/host.ts'
import { keyText } from './words.ts'
import { FailureNote } from '../../ui/failure-note.tsx'

/**
 * The key: where it is, in words; keep another, or forget it.
 * @param before stores the settings: a kept key belongs to the address that they name
 */
export function KeySection({ before }: { readonly before: () => Promise<boolean> }) {
  const id = useId()
  const key = useCoach((state) => state.key)
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const state = valueOf(key)
  const change = async (next: string | null) => {
    if (next !== null && !(await before())) return
    try {
      await setKey(next)
      setText('')
      setFailure(null)
    } catch (error) {
      setFailure(failureOf(error, 'The key'))
    }
  }
  if (key.status === 'failed') return <FailureNote failure={key.failure} />
  if (!state) return <p className="quiet">Looking for the key …</p>
  const kept = state.from === 'keychain' || state.from === 'file'
  return (
    <section className="coach-key stack line-above gap-6" aria-label="Key">
      <label className="control-label" htmlFor={id}>
        Key
      </label>
      <p className={`${state.from === 'none' ? '' : 'coach-key-have '}text-s dim break-words`}>
        {state.from === 'none' ? '○' : '●'} {keyText(state)}
      </p>
      {failure && <FailureNote failure={failure} />}
      {state.canStore ? (
        <>
          <div className="coach-key-line gap-8 flex">
            <input
              id={id}
              className="field"
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder={kept ? 'another key' : 'paste a key'}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <button
              type="button"
              className="button button-tall"
              disabled={text.trim() === ''}
              onClick={() => void change(text.trim())}
            >
              Keep this key
            </button>
            <button
              type="button"
              className="button button-tall"
              disabled={!kept}
              onClick={() => void change(null)}
            >
              Forget it
            </button>
          </div>
          <p className="quiet text-s">
            {state.where !== null && !kept && <>It would be kept in {state.where}. </>}A kept key
            goes to the address above only, and is never shown again. A server on this machine may
            need none.
          </p>
        </>
      ) : (
        <p className="warning">
          A key cannot be kept here{state.why === null ? '' : `: ${state.why}`}. Give it in the
          environment instead, as TURNSCOPE_COACH_KEY, before Turnscope starts.
        </p>
      )}
    </section>
  )
}
