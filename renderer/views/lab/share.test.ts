import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Share } from './share.tsx'

const shown = (hits: number, of: number) =>
  renderToStaticMarkup(createElement(Share, { hits, of })).replaceAll(/<[^>]*>/gu, '')

describe('[T55] shares', () => {
  it('[T55] never stand without the number they are of', () => {
    expect(shown(5, 6)).toBe('83 % of 6')
    expect(shown(0, 1200)).toBe('0 % of 1,200')
  })

  it('[T55] nothing of nothing is a dash', () => expect(shown(0, 0)).toBe('–'))

  it('[T55] what is not all or nothing does not look so', () => {
    expect(shown(999, 1000)).toBe('99.9 % of 1,000')
    expect(shown(1, 1000)).toBe('0.1 % of 1,000')
    expect(shown(7, 7)).toBe('100 % of 7')
  })
})
