import { ArrowDownToLine, Radio } from 'lucide-react'
import { runCommand } from '../../app/commands.ts'
import { type Follow, patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Pressable } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { canFollow, jumpToEnd } from './follow.ts'
import { unseenTurns } from '../../app/stick.ts'

const WORDS: Readonly<Record<Follow['state'], string>> = {
  off: 'Follow',
  watching: 'Following',
  restarted: 'Following',
  gone: 'Waiting',
}

/**
 * [U4] The switch that follows a file as it grows. Shown only if the file can be read again. An upload that cannot be
 * read again shows a note instead.
 */
export function FollowSwitch() {
  const possible = useApp(canFollow)
  const { state } = useApp((now) => now.document.follow)
  const isCopy = useApp((now) => now.document.source?.kind === 'upload')
  if (!possible) return isCopy ? <NoFollow /> : null
  const on = state !== 'off'
  return (
    <Pressable
      role="switch"
      aria-checked={on}
      className={`follow inline-row no-shrink text-s dim gap-6 brighten follow-${state}`}
      title={
        on
          ? 'New turns are shown as they are written. Stop following (F)'
          : 'Show new turns as they are written to the file (F)'
      }
      onClick={() => runCommand('follow')}
    >
      <Radio size={14} aria-hidden />
      <span>{WORDS[state]}</span>
    </Pressable>
  )
}

const COPY = {
  what: 'this file cannot be followed: this browser gave Turnscope a copy of its bytes, and does not let it read the file again',
  where: 'Follow',
  do: 'Paste or type the path of the file (Search everything), or start with it: it is then read where it is.',
}

/** [I99] Honest about a copy: why it does not grow, and what would. */
function NoFollow() {
  return (
    <Pressable
      className="follow inline-row no-shrink text-s quiet gap-6 brighten"
      title={`${COPY.what}. ${COPY.do}`}
      onClick={() => patchView({ notice: COPY })}
    >
      <Radio size={14} aria-hidden />
      <span>Follow…</span>
    </Pressable>
  )
}

/** Shown if following is active but the operator went back: the number of new turns, and a button to go there. */
export function NewTurns() {
  const unseen = useApp(unseenTurns)
  if (unseen === null) return null
  return (
    <div className="new-turns flex" role="status">
      <Pressable onClick={jumpToEnd}>
        <ArrowDownToLine size={14} aria-hidden />
        {unseen === 0 ? 'Jump to the end' : `${counted(unseen, 'new turn')}, jump to the end`}
      </Pressable>
    </div>
  )
}
