import { CSPProvider } from '@base-ui/react/csp-provider'
import { FailureNote } from '../ui/answered.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { BrandMark } from './brand.tsx'
import { Shell } from './shell.tsx'
import { rememberCrash } from './restore.ts'
import { NoHost } from './stages.tsx'
import { useApp } from './use-store.ts'

interface Props {
  readonly retry: () => void
  readonly fileInput: (input: HTMLInputElement) => void
}

/** The application, or why there is none. */
export function App({ retry, fileInput }: Props) {
  return (
    <CSPProvider disableStyleElements>
      <Boundary where="Window" onCrash={() => rememberCrash('all')}>
        <Connected retry={retry} fileInput={fileInput} />
      </Boundary>
    </CSPProvider>
  )
}

function Connected({ retry, fileInput }: Props) {
  const connection = useApp((state) => state.document.connection)
  const info = useApp((state) => state.document.info)
  if (connection.kind === 'no_token')
    return (
      <NoHost title="This page needs its key">
        <p>
          Turnscope prints an address with a key in it when it starts. Open that whole address, with
          what stands behind <code>#token=</code>.
        </p>
        <pre className="block">npm start</pre>
      </NoHost>
    )
  if (connection.kind === 'refused')
    return (
      <NoHost title="No host answers here" onRetry={retry}>
        <p>
          Either Turnscope is not running any more, or it was started again with another key. Start
          it and open the address that it prints.
        </p>
        <pre className="block">npm start</pre>
      </NoHost>
    )
  if (info.status === 'failed' && info.previous === null)
    return (
      <NoHost title="The host could not say what it offers" onRetry={retry}>
        <FailureNote failure={info.failure} />
      </NoHost>
    )
  if (info.status === 'idle')
    return (
      <main className="boot stack quiet gap-16 full-height" aria-busy>
        <BrandMark size={30} />
        <p>Connecting to the host …</p>
      </main>
    )
  return <Shell fileInput={fileInput} />
}
