import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './serve.ts'

/**
 * Expects that axe finds nothing in the page, or in the part `within`; `what` names the view in the
 * failure. Every rule runs. The page has no frames, so axe needs no second page to put frames together,
 * and only violations are written out: both together take a fifth of the time.
 */
export async function expectAccessible(page: Page, what: string, within?: string): Promise<void> {
  expect(page.frames(), 'axe looks at one frame only').toHaveLength(1)
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  expect(violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([])
}
