import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { fetchParts, onDemand } from './on-demand.tsx'

const Hello = ({ name }: { readonly name: string }) => <b>{name}</b>

/** Idle moments that come when the test says so. */
function idleMoments() {
  const waiting: Array<() => void> = []
  const pass = async () => {
    waiting.shift()?.()
    // Work that was started finishes before the next check.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { waiting, pass, whenIdle: (act: () => void) => void waiting.push(act) }
}

test('[U200] parts are fetched one after the other when idle, once; then they are shown at once', async () => {
  const first = vi.fn(() => Promise.resolve(Hello))
  const broken = vi
    .fn(() => Promise.resolve(Hello))
    .mockImplementationOnce(() => Promise.reject(new Error('gone')))
  const First = onDemand(first)
  const Broken = onDemand(broken)
  expect(renderToStaticMarkup(<First name="one" />)).toBe('')
  expect(first).not.toHaveBeenCalled()

  const { waiting, pass, whenIdle } = idleMoments()
  fetchParts(whenIdle)
  expect(first).not.toHaveBeenCalled()
  await pass()
  expect(first).toHaveBeenCalledOnce()
  expect(broken).not.toHaveBeenCalled()
  expect(renderToStaticMarkup(<First name="one" />)).toBe('<b>one</b>')

  // One that cannot be fetched holds up nothing, and is fetched again when it is wanted again.
  await pass()
  expect(broken).toHaveBeenCalledOnce()
  expect(waiting).toEqual([])
  expect(renderToStaticMarkup(<Broken name="two" />)).toBe('')

  const again = idleMoments()
  fetchParts(again.whenIdle)
  await again.pass()
  await again.pass()
  expect(first).toHaveBeenCalledOnce()
  expect(broken).toHaveBeenCalledTimes(2)
  expect(renderToStaticMarkup(<Broken name="two" />)).toBe('<b>two</b>')
})
