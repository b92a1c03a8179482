import { addTo } from '../../maps.ts'
import type { DomainSet } from '../../matcher/domains.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { aboutFile, withEvidence, type Finding } from './lint-finding.ts'

/** Domains of another file that should have the same domains. */
export interface OtherDomains {
  readonly name: string
  readonly domains: ReadonlyArray<{
    readonly name: string
    readonly aliases?: readonly string[] | undefined
  }>
}

function unknownInProfile({ gate }: Pipeline): readonly Finding[] {
  return gate.unknown.map((name) =>
    aboutFile('profile', name, {
      rule: 'unknown-domain',
      severity: 'error',
      what: `The profile disables "${name}", which is no domain here: it gates nothing (L10).`,
      do: 'Use the name of a domain, or say under `aliases` which one is meant.',
    }),
  )
}

/** Domain names in the preset's maps and lists, each with its option. */
function namesInPreset({ preset }: Pipeline): ReadonlyArray<readonly [string, string]> {
  const { breakMinSignals, minSignals, antiSignals } = preset.belief
  return [
    ...Object.keys(breakMinSignals ?? {}).map((name) => ['breakMinSignals', name] as const),
    ...Object.keys(minSignals).map((name) => ['minSignals', name] as const),
    ...antiSignals.flatMap((anti) => anti.domains.map((name) => ['antiSignals', name] as const)),
  ]
}

function unknownInPreset(pipeline: Pipeline): readonly Finding[] {
  const { set, rules } = pipeline.belief
  return namesInPreset(pipeline)
    .filter(([, name]) => !set.byName.has(name) && name !== rules.options.defaultDomain)
    .map(([option, name]) =>
      aboutFile('preset', name, {
        rule: 'unknown-domain',
        severity: 'warning',
        what: `${option} of the preset names "${name}", which is no domain here: it changes nothing.`,
        do: 'Use the name of a domain, or take the entry out.',
      }),
    )
}

/** [L10] A profile without a list is permissive on purpose; a list without effect is a mistake. */
function gatesNothing({ profile, gate }: Pipeline): readonly Finding[] {
  if (profile === null || gate.disabled.length > gate.unknown.length) return []
  const listed = [profile.disabled_domains, profile.bst?.disabled_domains].flat().filter(Boolean)
  const dead = listed.length > 0
  return [
    aboutFile('profile', null, {
      rule: 'gates-nothing',
      severity: dead ? 'error' : 'info',
      what: dead
        ? `The profile lists ${listed.length} disabled ${listed.length === 1 ? 'domain' : 'domains'} and gates none: every domain enriches.`
        : 'The profile disables no domain: every domain enriches.',
      do: dead
        ? 'Name domains of this file, and put the list where the preset reads it (`tolerant` reads both places).'
        : 'Nothing to do if that is meant.',
    }),
  ]
}

function knows(domains: OtherDomains['domains'], name: string): boolean {
  return domains.some((domain) => domain.name === name || domain.aliases?.includes(name) === true)
}

/** [L11] */
function drift(set: DomainSet, other: OtherDomains): readonly Finding[] {
  const here = set.name === '' ? 'this file' : `"${set.name}"`
  const say = (name: string, what: string): Finding =>
    aboutFile('domains', name, {
      rule: 'drift',
      severity: 'warning',
      what,
      do: 'Add the domain, give it as an alias of another, or take it out of both.',
    })
  return [
    ...set.domains
      .filter(({ name, aliases }) => ![name, ...aliases].some((one) => knows(other.domains, one)))
      .map(({ name }) => say(name, `"${name}" is in ${here} and not in "${other.name}" (L11).`)),
    ...other.domains
      .filter(
        ({ name, aliases = [] }) => ![name, ...aliases].some((one) => knows(set.domains, one)),
      )
      .map(({ name }) => say(name, `"${name}" is in "${other.name}" and not in ${here} (L11).`)),
  ]
}

/**
 * [T15] [L10] [L11] Names that mean nothing: disabled domains of the profile, domains in the preset's
 * maps, a profile that gates nothing, and domains that one of several files has and another lacks.
 */
export function lintNames(pipeline: Pipeline, others: readonly OtherDomains[]): readonly Finding[] {
  return [
    ...unknownInProfile(pipeline),
    ...unknownInPreset(pipeline),
    ...gatesNothing(pipeline),
    ...others.flatMap((other) => drift(pipeline.belief.set, other)),
  ]
}

/** [T15] Labels that name a domain which the configuration does not have. */
export function lintLabels(scored: ScoredCorpus, labels: CorpusLabels): readonly Finding[] {
  const turns = new Map<string, number[]>()
  for (const [turn, { primary }] of labels)
    if (!scored.domains.includes(primary)) addTo(turns, primary, turn)
  return [...turns].map(([name, list]) => {
    const finding = aboutFile('labels', name, {
      rule: 'unknown-domain',
      severity: 'warning',
      what: `${list.length} ${list.length === 1 ? 'label says' : 'labels say'} "${name}", which is no domain here: no answer can be right.`,
      do: 'Label with domains of this configuration, or add the domain.',
    })
    return withEvidence(finding, scored, list)
  })
}
