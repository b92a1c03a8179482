import { registerHooks } from 'node:module'

const double = new URL('./electron.ts', import.meta.url).href

/** `require('electron')` in the built main process finds the double. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
})
