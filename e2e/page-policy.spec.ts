import { expect, test } from './helpers/serve.ts'

test('no text becomes HTML, a script or the address of one, whoever tries it', async ({
  page,
  served,
}) => {
  await page.goto(served.url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const passed = await page.evaluate(() => {
    const own = (globalThis as { trustedTypes?: { createPolicy: (name: string) => unknown } })
      .trustedTypes
    const ways = {
      'inner HTML': () => (document.createElement('p').innerHTML = '<b>x</b>'),
      'outer HTML': () => (document.body.firstElementChild!.outerHTML = '<b>x</b>'),
      'HTML beside': () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
      'a document': () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
      'address of a script': () => (document.createElement('script').src = '/x.js'),
      'text of a script': () => (document.createElement('script').text = 'var x'),
      'address of a worker': () => new Worker('/x.js'),
      'a policy of its own': () => own?.createPolicy('own'),
    }
    return Object.entries(ways).flatMap(([name, way]) => {
      try {
        way()
        return [name]
      } catch {
        return []
      }
    })
  })
  expect(passed).toEqual([])
})
