import { describe, expect, it } from 'vitest'
import { defaultPipeline } from '../../../fixtures/workspace.ts'
import { evaluate, readLabelled } from '../../../scripts/evaluation.ts'
import { initialBeliefState, stepTurn, type TurnOutcome } from '../pipeline.ts'

const pipeline = await defaultPipeline('recommended')
const qwen = await defaultPipeline('recommended', 'qwen3-14b')

function run(texts: readonly string[], by = pipeline): readonly TurnOutcome[] {
  let state = initialBeliefState
  return texts.map((text) => {
    const outcome = stepTurn(by, state, text)
    state = outcome.state
    return outcome
  })
}

function classify(text: string): ReadonlyArray<string | null> {
  const { scored } = stepTurn(pipeline, initialBeliefState, text)
  return [scored.primary.domain, scored.secondary?.domain ?? null]
}

const RESEARCH = 'investigate the filings through the API'
const LS =
  'total 8\ndrwxr-xr-x 2 user user 4096 Feb 24 09:00 .\n-rw-r--r-- 1 user user 120 Feb 24 09:00 a.txt'

describe('default domains: the testing criteria of compound-bst.md', () => {
  it('criterion 1: debug the OpenPlanter API query timeout', () =>
    expect(classify('debug the OpenPlanter API query timeout')).toEqual(['bugfix', 'coding']))

  it('criterion 2: investigate Oracle Corporation credit risk', () =>
    expect(classify('investigate Oracle Corporation credit risk')).toEqual(['investigation', null]))

  it('criterion 3: fix the pip install error', () =>
    expect(classify('fix the pip install error')).toEqual(['bugfix', 'system_admin']))

  it('criterion 4: ls -la /home/user/', () =>
    expect(classify('ls -la /home/user/')).toEqual(['file_ops', null]))

  it("criterion 5: what's the best approach for this?", () =>
    expect(classify("what's the best approach for this?")).toEqual(['planning', null]))

  it('criterion 6: analyze the stress test logs and fix the domain flip', () => {
    const text = 'analyze the stress test logs and fix the domain flip'
    expect(classify(text)).toEqual(['analysis', 'bugfix'])
  })

  it('criteria 7, 8, 9, 15: no profile, everything enriches', () =>
    expect(run([RESEARCH])[0]).toMatchObject({
      primary: { domain: 'investigation' },
      secondary: { domain: 'coding' },
      plan: { primary_enrichment: true, secondary_enrichment: true },
    }))

  it('criterion 10: strong momentum holds against ls output', () => {
    const last = run([RESEARCH, RESEARCH, RESEARCH, LS]).at(-1)
    expect(last).toMatchObject({ event: 'resist', signature: 'coding+investigation' })
    expect(last?.resisted).toMatchObject({ domain: 'file_ops' })
  })

  it('criterion 11: plan the sprint breaks it', () => {
    const last = run([RESEARCH, RESEARCH, RESEARCH, 'plan the sprint']).at(-1)
    expect(last).toMatchObject({ event: 'break', signature: 'planning' })
  })

  it('criterion 12: weak momentum accepts ls output', () =>
    expect(run([RESEARCH, RESEARCH, LS]).at(-1)).toMatchObject({
      event: 'accept',
      primary: { domain: 'file_ops' },
    }))

  it('criterion 13: a disabled secondary is off, the primary stays on', () => {
    const [turn] = run(['investigate the lenders and the error in their filings'], qwen)
    expect(turn?.primary.domain).toBe('investigation')
    expect(turn?.secondary?.domain).toBe('bugfix')
    expect(turn?.plan).toMatchObject({
      primary_enrichment: true,
      secondary_enrichment: false,
      reason_secondary_skipped: 'disabled_in_profile',
    })
  })

  it('[B7] criterion 14: a disabled primary stops all enrichment', () => {
    const [turn] = run(['debug the OpenPlanter API query timeout'], qwen)
    expect(turn?.plan).toMatchObject({ primary_enrichment: false, secondary_enrichment: false })
    expect(turn?.enrichment).toBe('')
  })
})

describe('default domains: what the rules of momentum need', () => {
  it.each([
    'pip install requests',
    'Collecting requests\nInstalling collected packages: idna, requests\nSuccessfully installed idna-3.10 requests-2.32.3',
    'cat notes.md',
    'git status',
  ])('[B1] %j does not break research', (text) => {
    const last = run([RESEARCH, RESEARCH, RESEARCH, text]).at(-1)
    expect(last).toMatchObject({ event: 'resist', signature: 'coding+investigation' })
  })

  it('[B1] a real job on a machine breaks it', () => {
    const text = 'restart the nginx service on the server, the port 443 is closed'
    const last = run([RESEARCH, RESEARCH, RESEARCH, text]).at(-1)
    expect(last).toMatchObject({ event: 'break', primary: { domain: 'system_admin' } })
  })

  it.each(['ok', 'thanks!', 'yes, continue', 'hello'])('[B2] %j is conversation', (text) =>
    expect(classify(text)).toEqual(['conversation', null]),
  )
})

describe('default domains: the file', () => {
  const { set } = pipeline.belief

  it('has the eleven domains in order of priority, each able to enrich', () => {
    expect(set.domains.map((domain) => domain.priority)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99,
    ])
    for (const domain of set.domains) {
      expect(domain.enrichmentTemplate?.length).toBeGreaterThan(100)
      expect(domain.briefDescription?.length).toBeGreaterThan(20)
    }
  })

  it('names every signal once within its domain', () => {
    for (const domain of set.domains) {
      const ids = domain.signals.map((signal) => signal.id)
      expect(ids).not.toContain(null)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it.each([
    'marketing basics',
    'plan B',
    'a pleasant walk',
    'the scatter plot',
    'an important cat',
  ])('fires no signal inside another word: %j', (text) =>
    expect(classify(text)).toEqual(['conversation', null]),
  )
})

describe('default domains: labelled turns', () => {
  it('written train: a little under what `npm run evaluate` measured', async () => {
    const { turns } = await readLabelled('written', 'train')
    const { compound, firstMatch, floor } = evaluate(pipeline, turns, turns)
    expect(compound.strict.of).toBe(144)
    expect(compound.strict.value).toBeGreaterThan(0.9)
    expect(compound.withAlternatives.value).toBeGreaterThan(0.94)
    expect(compound.macroF1.value).toBeGreaterThan(0.9)
    expect(compound.strict.hits).toBeGreaterThan(firstMatch.strict.hits)
    expect(firstMatch.strict.hits).toBeGreaterThan(floor.strict.hits)
  })

  it('reads the real part where its texts are, else counts it as skipped', async () => {
    const { turns, skipped } = await readLabelled('real', 'train')
    expect(turns.length + skipped).toBe(288)
    expect([0, 288]).toContain(skipped)
  })
})
