import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Boundary } from './boundary.tsx'

function crashedWith(error: unknown, onClose?: () => void): string {
  const boundary = new Boundary({ where: 'Tab Raw', onClose, children: 'content' })
  boundary.state = Boundary.getDerivedStateFromError(error)
  return renderToStaticMarkup(boundary.render())
}

test('[U14] what works is shown as it is', () => {
  expect(renderToStaticMarkup(<Boundary where="Tab Raw">content</Boundary>)).toBe('content')
})

test('[U14] a fault is said with its place and a way out', () => {
  const shown = crashedWith(new RangeError('Invalid string length'))
  expect(shown).toContain('Invalid string length')
  expect(shown).toContain('Tab Raw')
  expect(shown).toContain('Try again')
  expect(crashedWith('odd', () => undefined)).toContain('Close')
})

test('[U14] the part is remembered, and tried again when it shows something else', () => {
  const onCrash = vi.fn()
  const boundary = new Boundary({ where: 'Tab Raw', of: 2, onCrash, children: 'content' })
  boundary.state = Boundary.getDerivedStateFromError(new Error('no'))
  boundary.componentDidCatch()
  expect(onCrash).toHaveBeenCalledOnce()
  const set = vi.spyOn(boundary, 'setState').mockImplementation(() => undefined)
  boundary.componentDidUpdate({ where: 'Tab Raw', of: 2, children: 'content' })
  expect(set).not.toHaveBeenCalled()
  boundary.componentDidUpdate({ where: 'Tab Raw', of: 1, children: 'content' })
  expect(set).toHaveBeenCalledWith({ crash: null })
})
