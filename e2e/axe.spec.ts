import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

test('axe finds what is there to find, and says where', async ({ page }) => {
  await page.setContent('<title>A page</title><main><h1>A page</h1><img src="data:,"></main>')
  await expect(expectAccessible(page, 'a page')).rejects.toThrow(/a page: image-alt <img/u)
  await page.setContent(
    '<html lang="en"><title>A page</title><main><h1>A page</h1>' +
      '<p style="color: #aaa; background: #fff">hardly to be read</p></main></html>',
  )
  await expect(expectAccessible(page, 'a page')).rejects.toThrow(/a page: color-contrast <p/u)
  await expectAccessible(page, 'the heading', 'h1')
})
