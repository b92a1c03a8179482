import { type ReactNode, useEffect, useState } from 'react'
import type { LiveStatus } from '../../../core/wire/live.ts'
import { MCP_CLIENTS } from '../../../core/wire/mcp-clients.ts'
import { Answered, FailureNote } from '../../ui/answered.tsx'
import { Button, CopyButton } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Select } from '../../ui/form.tsx'
import { counted, dayOf, timeOf } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { Section } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { Receiver } from './receiver.tsx'
import { openLive, switchAnswering, useLive, watchLive } from './state.ts'

/** [U210] Recordings by hooks of coding agents, the problems they met, and the process that answers them. */
export function LiveDialog({ onClose }: { readonly onClose: () => void }) {
  const status = useLive((state) => state.status)
  useEffect(watchLive, [])
  return (
    <Dialog title="Live sessions" className="modal-wide" onClose={onClose}>
      <Answered data={status} failure="above">
        {(now) => (
          <div className="live scroll shrink-y" tabIndex={0}>
            <Answering status={now} />
            <Receiver status={now.receiver} />
            <Sessions status={now} />
            <Problems status={now} />
            <Install status={now} />
            <Connect />
          </div>
        )}
      </Answered>
    </Dialog>
  )
}

interface OfStatus {
  readonly status: LiveStatus
}

function Answering({ status: { resident, here } }: OfStatus) {
  const isSwitching = useLive((state) => state.isSwitching)
  const failure = useLive((state) => state.failure)
  return (
    <div className="stack gap-8 pad-16">
      <Check
        checked={here}
        disabled={isSwitching}
        onCheck={(checked) => void switchAnswering(checked)}
      >
        Answer hooks from this window
      </Check>
      <p className="text-s dim">
        A hook answers without it too, only slower: each prompt then reads the rules anew. For this
        nothing listens on the network, and other accounts of this machine cannot ask.
        {resident !== null && !here && ` At the moment process ${resident} answers.`}
      </p>
      {failure && <FailureNote failure={failure} />}
    </div>
  )
}

function Sessions({ status: { sessions, total, install } }: OfStatus) {
  const labelOf = (agent: string) => install.find((each) => each.agent === agent)?.label ?? agent
  return (
    <Section
      title="Recorded sessions"
      aside={
        counted(total, 'session') +
        (sessions.length < total ? `, the newest ${sessions.length} are listed` : '')
      }
    >
      {sessions.length === 0 ? (
        <p className="dim">
          None yet. Install the hook below and type a prompt in the agent, or receive what a program
          sends: the session appears here.
        </p>
      ) : (
        <DataTable
          label="Recorded sessions"
          className="table live-sessions"
          rows={sessions}
          keyOf={({ path }) => path}
          columns={[
            {
              head: 'Session',
              cell: (session) => (
                <Button kind="link" onClick={() => openLive(session)}>
                  <Name text={session.title} />
                </Button>
              ),
            },
            { head: 'Agent', className: 'nowrap', cell: ({ agent }) => labelOf(agent) },
            {
              head: 'Folder',
              className: 'break-words',
              cell: ({ cwd }) => (cwd === null ? '' : <Name text={cwd} />),
            },
            {
              head: 'Last change',
              className: 'nowrap',
              cell: ({ changed }) => when(changed),
            },
          ]}
        />
      )}
    </Section>
  )
}

const when = (at: number) => `${dayOf(at)} ${timeOf(at)}`

/** Problems that are shown; the newest first. */
const MOST = 20

function Problems({ status: { problems } }: OfStatus) {
  if (problems.length === 0) return null
  const groups = Map.groupBy(problems.toReversed(), ({ where, what }) => `${where}: ${what}`)
  const newest = [...groups.values()].slice(0, MOST)
  return (
    <Section
      title="Prompts that went on without the rules"
      aside={counted(problems.length, 'problem')}
    >
      <ul className="stack gap-8">
        {newest.map(([problem, ...before]) => (
          <li key={`${problem?.where} ${problem?.what}`} className="stack gap-3">
            <p className="warn break-words">{visible(`${problem?.where}: ${problem?.what}`)}</p>
            <p className="text-s dim break-words">
              {before.length > 0 && `${before.length + 1} times, last `}
              {when(problem?.at ?? 0)}, {problem?.agent}. {visible(problem?.do ?? '')}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Install({ status: { install } }: OfStatus) {
  const rows = install.map(({ agent, label, command }) => ({ name: agent, label, command }))
  return (
    <Command title="Install a hook" of="Agent" rows={rows}>
      {() => (
        <>
          The command shows what it would change in the settings of the agent, and writes it with{' '}
          <code>--yes</code>. <code>turnscope hook remove</code> takes it out again.
        </>
      )}
    </Command>
  )
}

/** [F164] The other way round: an agent asks Turnscope. */
function Connect() {
  return (
    <Command title="Connect an agent" of="Agent that asks" rows={MCP_CLIENTS}>
      {({ where }) => (
        <>
          Over MCP an agent lists and explains sessions, checks labels and tries edits. It reads the
          workspace; <code className="nowrap">--live</code> adds the sessions above,{' '}
          <code className="nowrap">--allow PATH</code> a folder. It writes only with{' '}
          <code className="nowrap">--allow-write</code>.
          {where !== null && ` This goes into its ${where}.`}
        </>
      )}
    </Command>
  )
}

interface CommandRow {
  readonly name: string
  readonly label: string
  readonly command: string
}

interface CommandProps<Row extends CommandRow> {
  readonly title: string
  /** Noun for the rows to choose from. */
  readonly of: string
  readonly rows: readonly Row[]
  readonly children: (row: Row) => ReactNode
}

/** A command to copy, of the agent that is chosen. */
function Command<Row extends CommandRow>({ title, of, rows, children }: CommandProps<Row>) {
  const [chosen, choose] = useState('claude-code')
  const row = rows.find(({ name }) => name === chosen)
  if (row === undefined) return null
  return (
    <Section title={title}>
      <div className="stack gap-8">
        <p className="text-s dim">{children(row)}</p>
        <div className="row wrap gap-8">
          <Select
            label={of}
            value={chosen}
            options={rows.map(({ name }) => name)}
            words={(name) => rows.find((each) => each.name === name)?.label ?? name}
            onChoose={choose}
          />
          <code className="live-command mono grow">{row.command}</code>
          <CopyButton text={row.command} what={`the command: ${title}`} />
        </div>
      </div>
    </Section>
  )
}
