import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ListToolbar } from './list-toolbar.tsx'

it('[U188] events and turns that are not counted yet are not said to be none', () => {
  // Without a browser, this renders a window in which nothing was opened yet.
  const said = renderToStaticMarkup(<ListToolbar />).replaceAll(/<[^>]*>/gu, ' ')
  expect(said.replaceAll(/\s+/gu, ' ')).toContain('All events … Turns …')
})
