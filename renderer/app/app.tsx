import { CSPProvider } from '@base-ui/react/csp-provider'
import { useState } from 'react'
import { FailureNote } from '../ui/answered.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/form.tsx'
import { takeAddress } from './api.ts'
import { BrandMark } from './brand.tsx'
import { Shell } from './shell.tsx'
import { rememberCrash } from './restore.ts'
import { NoHost } from './stages.tsx'
import { useApp } from './use-store.ts'

interface Props {
  readonly retry: () => void
  readonly fileInput: (input: HTMLInputElement) => void
}

/** The application, or the reason it is unavailable. */
export function App({ retry, fileInput }: Props) {
  return (
    <CSPProvider disableStyleElements>
      <Boundary where="Window" onCrash={() => rememberCrash('all')}>
        <Connected retry={retry} fileInput={fileInput} />
      </Boundary>
    </CSPProvider>
  )
}

const NEW_LINK =
  'Press Enter in the terminal where Turnscope runs for a new link, or choose "Copy a link for another browser" in an open window.'

const COPY_LINK =
  'Or choose "Copy a link for another browser" in a window that is open, and paste the link below.'

interface ShutWords {
  readonly title: string
  readonly text: readonly string[]
  readonly start?: boolean
}

/** [U18] [U19] Why there is no way in, and what to do. */
const SHUT: Partial<Record<string, ShutWords>> = {
  no_token: {
    title: 'Open the printed link',
    text: [
      'This browser has no key yet. Turnscope prints a link when it starts. Open the whole link, with the part after #token=.',
      NEW_LINK,
    ],
    start: true,
  },
  used: {
    title: 'This link works once',
    text: ['This link works once. Press Enter in the terminal for a new one.', COPY_LINK],
  },
  new_key: {
    title: 'Turnscope was restarted',
    text: ['Paste the new link. The page stays where it is.', NEW_LINK],
  },
  refused: {
    title: 'Turnscope is not running',
    text: ['Start Turnscope. Open the link that it prints, or paste the link below.'],
    start: true,
  },
}

/** [U74] Takes the printed link, also in an installed page, which has no address bar. */
function AddressForm({ retry }: Pick<Props, 'retry'>) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      className="stack gap-8 full-width"
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(!takeAddress(text, retry))
      }}
    >
      <Field
        label="Printed link"
        error={isWrong ? 'This is not a link of Turnscope with #token= in it.' : null}
      >
        <Input
          value={text}
          spellCheck={false}
          autoComplete="off"
          placeholder="127.0.0.1:…/#token=…"
          onText={setText}
        />
      </Field>
      <Button kind="primary" type="submit" disabled={text.trim() === ''}>
        Connect
      </Button>
    </form>
  )
}

function Connected({ retry, fileInput }: Props) {
  const connection = useApp((state) => state.document.connection)
  const info = useApp((state) => state.document.info)
  const started = useApp((state) => state.document.started)
  // [U187] A session is shown before the host has said what else it offers.
  const isOpening = useApp((state) => state.document.opened.status !== 'idle')
  const shut = SHUT[connection.kind]
  if (shut) {
    return (
      <NoHost title={shut.title} onRetry={connection.kind === 'refused' ? retry : undefined}>
        {shut.text.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {shut.start && <pre className="block">npm start</pre>}
        <AddressForm retry={retry} />
      </NoHost>
    )
  }
  if (info.status === 'failed' && info.previous === null && !isOpening)
    return (
      <NoHost title="The host could not say what it offers" onRetry={retry}>
        <FailureNote failure={info.failure} />
      </NoHost>
    )
  if (!started && !isOpening)
    return (
      <main className="boot stack quiet gap-16 full-height" aria-busy>
        <BrandMark size={30} />
        <p>Connecting to the host …</p>
      </main>
    )
  return <Shell fileInput={fileInput} />
}
