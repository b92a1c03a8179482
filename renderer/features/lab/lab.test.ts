import { beforeEach, describe, expect, it } from 'vitest'
import type { CorpusFlip, FlipReport, SignalRow } from '../../../core/engine/schema/lab.ts'
import { ready } from '../../app/async-data.ts'
import { acceptKey, flipGroups, groupsInView, toggleAccepted } from '../../stores/flips/flips.ts'
import { judge } from '../../stores/label/labels.ts'
import { draftOf, isChanged, textChanged } from '../../stores/lab/sides.ts'
import { shownSignals } from '../../stores/drafts/signals.ts'
import { initialLab, lab } from '../../stores/lab/store.ts'
import { DEFAULT_RUN } from '../../app/store.ts'

const side = (primary: string) => ({ primary, secondary: null, enriched: 1 })

function flip(session: number, turn: number, more: Partial<CorpusFlip> = {}): CorpusFlip {
  return {
    session,
    turn,
    seq: turn,
    fields: ['primary'],
    cause: 'direct',
    since: turn,
    before: side('coding'),
    after: side('bugfix'),
    verdict: null,
    gained: [],
    lost: [],
    ...more,
  }
}

function report(flips: readonly CorpusFlip[]): FlipReport {
  return {
    turns: 10,
    total: flips.length,
    direct: 0,
    momentum: 0,
    fixed: 0,
    broken: 0,
    flips,
    soFar: null,
    bySession: [],
    before: null,
    after: null,
    scanned: 0,
    cutOffs: [],
    otherKinds: [],
    primaries: 0,
    cells: [],
    ambiguous: { base: null, side: null },
    elapsed: { compile: 0, scan: 0, fold: 0, diff: 0 },
  }
}

function row(domain: string, index: number, more: Partial<SignalRow> = {}): SignalRow {
  return {
    domain,
    index,
    id: null,
    pattern: `p${index}`,
    dialect: 'python',
    note: null,
    line: index,
    corpus: 0,
    session: 0,
    own: 0,
    precision: { hits: 0, of: 0, value: null },
    change: 'same',
    editedAt: null,
    ...more,
  }
}

beforeEach(() => lab.setState(initialLab))

describe('[T52] flips', () => {
  const flips = [
    flip(0, 1),
    flip(0, 2, { cause: 'momentum', since: 1, verdict: 'fixed' }),
    flip(3, 0, { verdict: 'broken' }),
  ]

  it('are grouped by cause or by session, and filtered', () => {
    const none = new Set<string>()
    const turns = (...args: Parameters<typeof flipGroups>) =>
      flipGroups(...args).map((group) => group.flips.map(({ session, turn }) => [session, turn]))
    expect(turns(report(flips), 'all', 'cause', none)).toEqual([
      [
        [0, 1],
        [3, 0],
      ],
      [[0, 2]],
    ])
    expect(turns(report(flips), 'all', 'session', none)).toEqual([
      [
        [0, 1],
        [0, 2],
      ],
      [[3, 0]],
    ])
    expect(turns(report(flips), 'fixed', 'cause', none)).toEqual([[[0, 2]]])
    expect(turns(report(flips), 'momentum', 'session', none)).toEqual([[[0, 2]]])
  })

  it('are hidden once accepted, until they become something else, and come back', () => {
    lab.setState({ flips: ready(report(flips)) })
    toggleAccepted([flip(0, 1)])
    expect(groupsInView().flatMap((group) => group.flips)).toHaveLength(2)
    lab.setState({ flips: ready(report([flip(0, 1, { after: side('planning') })])) })
    expect(groupsInView().flatMap((group) => group.flips)).toHaveLength(1)
    lab.setState({ flips: ready(report(flips)) })
    toggleAccepted([flip(0, 1)])
    expect(groupsInView().flatMap((group) => group.flips)).toHaveLength(3)
  })

  it('name the outcome that was accepted', () =>
    expect(acceptKey(flip(0, 1))).not.toBe(acceptKey(flip(0, 1, { after: side('planning') }))))
})

describe('[T51] draft', () => {
  const file = {
    text: 'a: 1',
    file: 'd.yaml',
    fingerprint: 'f',
    writable: true,
    draft: null,
    problem: null,
  }

  it('is none where the text is the file’s, and no option is tried', () => {
    expect(isChanged({ ...initialLab, file: ready(file), text: 'a: 1' })).toBe(false)
    expect(isChanged({ ...initialLab, file: ready(file), text: 'a: 2' })).toBe(true)
    const tried = { ...initialLab, file: ready(file), text: 'a: 1', options: { maxChars: 500 } }
    expect(isChanged(tried)).toBe(true)
    expect(textChanged(tried)).toBe(false)
    expect(draftOf(tried, DEFAULT_RUN)).toMatchObject({
      domainsText: null,
      options: { maxChars: 500 },
    })
  })
})

describe('[T54] table of signals', () => {
  const rows = [
    row('coding', 0, { corpus: 5, own: 1, id: 'python' }),
    row('coding', 1, { corpus: 9, own: 9 }),
    row('bugfix', 0, { corpus: 0, change: 'changed', note: 'of Python' }),
  ]
  const view = (sort: 'corpus' | 'own' | 'change', down: boolean) =>
    shownSignals(rows, { sort, down, filter: '' }).map(({ domain, index }) => `${domain}${index}`)

  it('sorts by what fired, by share, by change; a share of nothing goes last', () => {
    expect(view('corpus', true)).toEqual(['coding1', 'coding0', 'bugfix0'])
    expect(view('own', true)).toEqual(['coding1', 'coding0', 'bugfix0'])
    expect(view('change', true)[0]).toBe('bugfix0')
  })

  it('filters by all words, over domain, id, pattern and note', () => {
    const found = (filter: string) =>
      shownSignals(rows, { sort: 'place', down: false, filter }).length
    expect(found('python')).toBe(2)
    expect(found('python coding')).toBe(1)
    expect(found('rust')).toBe(0)
  })
})

describe('[T53] a decision against a label', () => {
  const label = { event: 0, sha256: '0'.repeat(16), primary: 'coding' }

  const answer = (primary: string, secondary: string | null = null) => ({
    primary,
    secondary,
    fires: null,
  })

  it('is forbidden before anything else, then right, accepted or wrong', () => {
    expect(judge(label, answer('coding', null))).toBe('right')
    expect(judge({ ...label, acceptable: ['bugfix'] }, answer('bugfix', null))).toBe('acceptable')
    expect(judge(label, answer('planning', null))).toBe('wrong')
    expect(judge({ ...label, forbidden: ['git_ops'] }, answer('coding', 'git_ops'))).toBe(
      'forbidden',
    )
  })
})
