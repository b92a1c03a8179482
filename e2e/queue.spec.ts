import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

test('[L81] [L83] the queue says why, takes a label by a key, and is one shorter', async ({
  linked: page,
}) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?queue#s=sample:three-shelves&turn=1&dock=queue`)
  const rows = page.getByRole('listbox', { name: 'Turns to label' }).getByRole('option')
  await expect(rows.first()).toBeVisible()
  await expect(rows.first()).toContainText(/no signal at all|by one|a tie at|momentum holds/u)
  const panel = page.getByRole('region', { name: 'Queue' })
  const status = panel.getByRole('status').first()
  const left = Number(/(\d+) left/u.exec((await status.textContent()) ?? '')?.[1])
  expect(left).toBeGreaterThan(3)
  // [U221] Keys label once the panel has the keyboard.
  await page.keyboard.press('U')
  await page.keyboard.press('n')
  await expect(panel.getByRole('group', { name: 'Primary of this turn' })).toBeVisible()
  await page.keyboard.press('2')
  await expect(status).toContainText('1 labelled')
  await expect(panel).toContainText(/queue \d of 1 \(\d+ %, 95 % interval/u)
  await page.keyboard.press('n')
  await expect(status).toHaveText(`1 labelled, ${left - 1} left`)
  await expectAccessible(page, 'the queue')
})

test('[L85] [L86] a second reader sees no label of the first; what they differ in is settled by a key', async ({
  linked: page,
}) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?readers#s=sample:dead-gate&turn=1&dock=label`)
  const progress = page.getByRole('progressbar', { name: 'Labelled turns' })
  // The turns are there: before that a key labels nothing.
  await expect(progress).not.toHaveAttribute('aria-valuemax', '0')
  const signAs = async (name: string) => {
    const field = page.getByRole('textbox', { name: 'Reader' })
    await field.fill(name)
    await field.press('Enter')
    await page.keyboard.press('L')
  }
  const before = Number(await progress.getAttribute('aria-valuenow'))
  await signAs('Ada')
  await page.keyboard.press('1')
  await expect(progress).toHaveAttribute('aria-valuenow', String(before + 1))
  await signAs('Bo')
  await expect(progress).toHaveAttribute('aria-valuenow', String(before))
  await page.keyboard.press('3')
  await expect(progress).toHaveAttribute('aria-valuenow', String(before + 1))
  await page.keyboard.press('U')
  await page.getByRole('group', { name: 'List' }).getByText('Disagreements').click()
  const rows = page.getByRole('listbox', { name: 'Turns to label' }).getByRole('option')
  await expect(rows.first()).toContainText(/Ada: \w+, Bo: \w+/u)
  await expect(page.getByText(/^Ada and Bo agree on 0 of 1/u)).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.press('1')
  await page.getByRole('button', { name: 'Order again' }).click()
  await expect(page.getByText('Disagreements: 0 to settle, 1 settled.')).toBeVisible()
})

test('[L91] [L93] proposals say why there are none; a study of the lab', async ({
  linked: page,
}) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?proposals#s=sample:lock-in&turn=1&dock=lab&study=proposals`)
  await expect(page.getByText(/^No proposals: all labels come from one source/u)).toBeVisible()
  await expectAccessible(page, 'proposals')
})
