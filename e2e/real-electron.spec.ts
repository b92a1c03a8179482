import { join } from 'node:path'
import { _electron, expect, test } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { makeFolder } from '../fixtures/host.ts'

// The only test of the real Electron. It needs its binary and a display, which the machines of the gate do not have: the
// workflow gate.yml fetches the one, brings the other and sets the variable.
test.skip(
  process.env['TURNSCOPE_REAL_ELECTRON'] !== '1',
  'not run here: needs the binary of the real Electron and a display (TURNSCOPE_REAL_ELECTRON=1)',
)

test('the real Electron starts, opens a session and shows its first turn', async () => {
  const session = join(ROOT, 'fixtures/sessions/st-003.jsonl')
  const application = await _electron.launch({
    args: [ROOT, session],
    env: { ...process.env, TURNSCOPE_WORKSPACE: makeFolder() },
  })
  const window = await application.firstWindow()
  await expect(window).toHaveTitle(/Turnscope/u)
  await expect(window.getByRole('main')).toContainText(/\S/u)
  await expect(window.getByText('st-003', { exact: false }).first()).toBeVisible()
  // The page has no access to Node, under any flags of this start.
  expect(await window.evaluate(() => typeof Reflect.get(globalThis, 'require'))).toBe('undefined')
  await application.close()
})
