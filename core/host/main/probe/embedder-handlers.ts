import type { TurnscopeContract } from '../../../wire/contract.ts'
import {
  type EmbedderConfig,
  type ProbeSettings,
  SHIPPED_EMBEDDER,
} from '../../../engine/schema/probe-settings.ts'
import type { CallContext, Handlers } from '../../../wire/rpc.ts'
import { refusal } from '../../shared/names.ts'
import type { StateStore } from '../state-store.ts'
import type { ProbeThread } from './thread.ts'

type EmbedderMethods =
  | 'probe.embedders'
  | 'probe.setEmbedder'
  | 'probe.addEmbedder'
  | 'probe.removeEmbedder'
  | 'probe.measureEmbedder'
  | 'probe.download'

type EmbedderHandlers = Pick<Handlers<TurnscopeContract>, EmbedderMethods>

/** [D41] Which embedders there are, and which one is in use: a part of the settings. */
export function embedderHandlers(thread: ProbeThread, state: StateStore): EmbedderHandlers {
  const settingsNow = async (): Promise<ProbeSettings> => (await state.settings()).probe
  const list = async (context: CallContext) =>
    thread.call('probe.embedders', { settings: await settingsNow() }, context)

  return {
    'probe.embedders': (_, context) => list(context),
    'probe.setEmbedder': async ({ name }, context) => {
      const { embedders } = await list(context)
      if (!embedders.some((each) => each.name === name)) throw unknown(name)
      const probe = await settingsNow()
      await state.change({ probe: { ...probe, embedder: name } })
      const { current } = await list(context)
      if (current === name) return {}
      await state.change({ probe })
      const what = `the collections of this workspace are made for ${current}`
      const where = 'profiles/collections.yaml'
      throw refusal({ what, where, do: 'Take out its line "embedder" first' })
    },
    'probe.addEmbedder': async ({ config }) => ({ name: await addTo(state, config) }),
    'probe.removeEmbedder': async ({ name }) => {
      const probe = await settingsNow()
      if (!Object.hasOwn(probe.embedders, name)) throw unknown(name)
      const embedders = without(probe.embedders, name)
      const measured = without(probe.measured, name)
      const embedder = probe.embedder === name ? SHIPPED_EMBEDDER : probe.embedder
      await state.change({ probe: { ...probe, embedder, embedders, measured } })
      return {}
    },
    ...longHandlers(thread, state),
  }
}

/** What takes a while. */
function longHandlers(
  thread: ProbeThread,
  state: StateStore,
): Pick<EmbedderHandlers, 'probe.measureEmbedder' | 'probe.download'> {
  const settingsNow = async (): Promise<ProbeSettings> => (await state.settings()).probe

  /** A model that was fetched is an embedder from then on. */
  async function nameOf(model: string): Promise<string> {
    const { embedders } = await settingsNow()
    const known = Object.entries(embedders).find(
      ([, config]) => config.kind === 'download' && config.model === model,
    )
    const title = model.split('/').at(-1) ?? model
    return known?.[0] ?? (await addTo(state, { kind: 'download', title, model }))
  }

  return {
    'probe.measureEmbedder': async function* ({ name }, context) {
      const input = { name, settings: await settingsNow() }
      for await (const step of thread.stream('probe.measureEmbedder', input, context)) {
        if (step.kind === 'measured') {
          const { threshold, queries } = step
          const probe = await settingsNow()
          const measured = { ...probe.measured, [name]: { threshold, queries } }
          await state.change({ probe: { ...probe, measured } })
        }
        yield step
      }
    },
    'probe.download': async function* ({ model }, context) {
      for await (const step of thread.stream('probe.download', { model }, context)) {
        if (step.kind === 'progress') yield step
        else yield { kind: 'downloaded', name: await nameOf(model) }
      }
    },
  }
}

function without<T>(entries: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== name))
}

/** Keeps an embedder in the settings; its name there. */
async function addTo(state: StateStore, config: EmbedderConfig): Promise<string> {
  const { probe } = await state.settings()
  const name = freeName(config.title, probe)
  await state.change({ probe: { ...probe, embedders: { ...probe.embedders, [name]: config } } })
  return name
}

/** A name for settings and choices, made from the title. */
function freeName(title: string, { embedders }: ProbeSettings): string {
  const plain = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
  const stem = plain === '' ? 'embedder' : plain.slice(0, 80)
  const isTaken = (name: string): boolean =>
    name === SHIPPED_EMBEDDER || Object.hasOwn(embedders, name)
  if (!isTaken(stem)) return stem
  let number = 2
  while (isTaken(`${stem}-${number}`)) number += 1
  return `${stem}-${number}`
}

function unknown(name: string) {
  return refusal({
    what: `there is no embedder "${name}"`,
    where: 'settings',
    do: 'Choose one of the list',
  })
}
