import { type OptionsTable, recommendedOf } from '../options-table.ts'
import type { BundleOptions } from '../schema/bundle.ts'

/** Every option with its rule, its `recommended` value and one line of help. */
export const BUNDLE_OPTIONS: OptionsTable<BundleOptions> = {
  estimator: { rule: 'A10', value: 'larger', help: "What a step bundle's budgets count with." },
  outcomes: { rule: 'A12', value: 10, help: 'Most outcomes of Chapter 13 in a bundle.' },
  summaryFiles: {
    rule: 'A12',
    value: 50,
    help: 'Most summary files read, the last by name first.',
  },
  trendWindow: { rule: 'A13', value: 10, help: 'Newest runs of a step that make its trends.' },
  flatWithin: {
    rule: 'A13',
    value: 0.01,
    help: 'A metric is flat when its mean step is within this share of its mean size.',
  },
  incidents: { rule: 'A14', value: 20, help: 'Most open incidents in a bundle, the newest.' },
  scanBytes: {
    rule: 'A15',
    value: 67_108_864,
    help: 'Most bytes of a history file that are read, from its end; none = all.',
  },
}

/** Preset `recommended`; also what a preset without a section `bundle` means. */
export const recommendedBundle: BundleOptions = recommendedOf(BUNDLE_OPTIONS)
