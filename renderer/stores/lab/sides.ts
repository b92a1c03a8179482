import { valueOf } from '../../app/async-data.ts'
import { type LabState, type WireDraft, type WireSide, lab } from './store.ts'
import { type RunChoice, store } from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'

/** True when the text differs from the file, or an option from the preset. */
export function isChanged(state: LabState): boolean {
  return textChanged(state) || Object.keys(state.options).length > 0
}

export function textChanged({ file, text }: LabState): boolean {
  const loaded = valueOf(file)
  return loaded !== null && text !== null && text !== loaded.text
}

/** The draft as the wire wants it. */
export function draftOf(state: LabState, run: RunChoice): WireDraft {
  return {
    config: wireConfig(run),
    domainsText: textChanged(state) ? state.text : null,
    options: state.options,
  }
}

/** The side for lab requests: the draft if one exists, else the configuration in force. */
export function sideInForce(): WireSide {
  const { run } = store.getState().view
  const state = lab.getState()
  return isChanged(state)
    ? { kind: 'draft', draft: draftOf(state, run) }
    : { kind: 'config', config: wireConfig(run) }
}

/** The configuration in force, as saved. */
export function savedSide(): WireSide {
  return { kind: 'config', config: wireConfig(store.getState().view.run) }
}
