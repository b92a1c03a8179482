import { type OptionsTable, optionsTable } from '../options-table.ts'
import type { BundleOptions } from '../schema/bundle.ts'

/** Preset `recommended`; also the default for a preset without a `bundle` section. */
export const recommendedBundle: BundleOptions = {
  estimator: 'larger',
  outcomes: 10,
  summaryFiles: 50,
  trendWindow: 10,
  flatWithin: 0.01,
  incidents: 20,
  scanBytes: 67_108_864,
}

/** One line of help for every option. */
const HELP: Readonly<Record<keyof BundleOptions, string>> = {
  /** [A10] */
  estimator: "What a step bundle's budgets count with.",
  /** [A12] */
  outcomes: 'Most outcomes of Chapter 13 in a bundle.',
  /** [A12] */
  summaryFiles: 'Most summary files read, the last by name first.',
  /** [A13] */
  trendWindow: 'Newest runs of a step that make its trends.',
  /** [A13] */
  flatWithin:
    'A metric is flat when over the whole window it changes by at most this share of its mean size.',
  /** [A14] */
  incidents: 'Most open incidents in a bundle, the newest.',
  /** [A15] */
  scanBytes: 'Most bytes of a history file that are read, from its end; none = all.',
}

/** Every option with its value and its help. */
export const BUNDLE_OPTIONS: OptionsTable<BundleOptions> = optionsTable(recommendedBundle, HELP)
