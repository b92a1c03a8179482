import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { RowsAt } from '../../../wire/method.ts'
import type { ForwardingHandlers } from '../../../wire/rpc.ts'

/** Calls that the main process answers itself: every row of the window's contract at `main`. */
export type MainHandlers = ForwardingHandlers<RowsAt<TurnscopeContract, 'main'>>

/** Those whose names begin like this. */
export type MainHandlersOf<Prefix extends string> = Pick<
  MainHandlers,
  Extract<keyof MainHandlers, `${Prefix}.${string}`>
>
