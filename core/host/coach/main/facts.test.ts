import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { settingsFor } from '../../../../fixtures/model-servers.ts'
import { distrusting } from '../../../../fixtures/trust.ts'
import { openGate } from '../../platform/trust/gate.ts'
import { trustPlace } from '../../platform/trust/place.ts'
import { createCoachService } from './service.ts'

const OUTPUTS = Array.from({ length: 40 }, (_, index) => ({
  content: `output ${index}`,
  promptHash: 'p',
  label: null,
}))

/** The half of a coach that needs no thread, and how often its settings were read. */
function start() {
  const workspace = makeFolder()
  let reads = 0
  const settings = settingsFor('anthropic', 'http://127.0.0.1:9')
  const coach = createCoachService({
    workspace,
    stateDir: workspace,
    say: () => undefined,
    clock: () => 0,
    env: {},
    settings: () => {
      reads += 1
      return Promise.resolve(settings)
    },
    trust: openGate(trustPlace({ workspace, shipped: workspace, env: distrusting() })),
  })
  return { coach, settings, reads: () => reads }
}

describe('what the coach knows without a call', () => {
  it('[V65] settings are read as often for forty outputs as for one', async () => {
    const { coach, reads } = start()
    await coach.known(OUTPUTS.slice(0, 1))
    const once = reads()
    expect(once).toBeGreaterThan(0)
    await coach.known(OUTPUTS)
    expect(reads()).toBe(2 * once)
  })

  it('[V65] each output has its own answer, in the order of the outputs', async () => {
    const { coach, settings } = start()
    const { model, provider, baseUrl } = settings
    const kept = { content: 'output 7', promptHash: 'p', model, provider, baseUrl: baseUrl ?? '' }
    const paid = { inputTokens: null, outputTokens: null, dollars: null, elapsedMs: 1, at: 0 }
    await coach.store.add({ ...kept, ...paid, raw: '{}' })
    const known = await coach.known(OUTPUTS)
    const answered = known.flatMap(({ answer }, index) => (answer === null ? [] : [index]))
    expect(known).toHaveLength(OUTPUTS.length)
    expect(answered).toEqual([7])
    expect(known[7]?.runs).toHaveLength(1)
  })
})
