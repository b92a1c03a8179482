import type { Actions } from './actions.ts'
import { registry } from './commands.ts'
import type { Hooks } from './hooks.ts'

/** Asks the feature that has the action; without one nothing is done. */
export function act<K extends keyof Actions>(id: K, given: Actions[K]): void {
  for (const { actions } of registry.getState().features) actions?.[id]?.(given)
}

/** Calls a hook of every feature, in the order of their rows. Returns their answers. */
export function tell<K extends keyof Hooks>(
  hook: K,
  ...given: Parameters<Hooks[K]>
): ReadonlyArray<ReturnType<Hooks[K]>> {
  return registry.getState().features.flatMap(({ hooks }) => {
    const answer = hooks?.[hook] as
      ((...all: Parameters<Hooks[K]>) => ReturnType<Hooks[K]>) | undefined
    return answer ? [answer(...given)] : []
  })
}
