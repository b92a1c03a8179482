/**
 * [F188] What to do about a finding of each rule, as viewers of SARIF and code scanning show it beside the rule. What
 * is to be done about one finding stands in its message.
 */
export const RULE_HELP: Readonly<Record<string, string>> = {
  'wrong-primary':
    'Open the turn and see which signals fired: `turnscope explain FILE#TURN`. Narrow the signal at this line, add one to the domain that the label names, or change the label if it is wrong.',
  'forbidden-domain':
    'Open the turn with `turnscope explain FILE#TURN`. Narrow the signal at this line so that it does not match, or give it a counterpart that excludes the domain.',
  minimum:
    'See the labelled turns that are wrong in the output of `turnscope check`, and mend the signals that most of them share.',
  flips:
    'List the turns with `turnscope diff`, and see whether each change is wanted. Then raise --max-flips, or take the edit back that flips them.',
  'never-fired': 'Test the pattern with `turnscope try`, widen it, or delete the signal.',
  'cannot-match': 'Correct the pattern. The message names the part that no text satisfies.',
  unreachable: 'Delete what nothing reaches, or remove what stands before it.',
  'fires-everywhere':
    'Narrow the pattern: ask for a verb and its object, or for a place in the text.',
  'other-domains': 'Move the signal to the domain on whose turns it fires, or narrow it.',
  shadowed: 'Delete the signal, or give it what the others lack.',
  duplicate: 'Delete one of the two: a score counts signals, so both together count twice.',
  subsumed: 'Delete the narrower signal, or give it a group with the other one.',
  'no-word-boundary': String.raw`Put \b around the words, unless parts of longer words are wanted.`,
  untested: 'Label a turn on which the signal matters, so that a change of it is noticed.',
  'unknown-domain': 'Correct the name, or add it to the aliases of the domain.',
  'gates-nothing': 'Correct the names in `disabled_domains`, or map them with `aliases`.',
  dialect: 'Write what both dialects read alike, or say `dialect:` beside the pattern.',
  'super-linear':
    'Bound the repetition, for example {0,200} in the place of *, or make what follows it distinct.',
  drift: 'Bring the files to the same domains, or say why they differ.',
  'momentum-lock':
    'See the turns that were held off. Lower `momentumThreshold`, or let the domain break with `breakMinSignals`.',
  'enrichment-no-help':
    'Rewrite the enrichment of the domain, or disable it for this model in its profile.',
  dispatch: 'Build the prompt with the bundle factory: `turnscope bundle --step N`.',
  template: 'Correct the segment; the message says where it breaks.',
  'undefined-variable': 'Supply the variable, or give it a default in the segment.',
  'self-signal':
    'See the response; instruct the agent to write one whole self-signal, outside of fences.',
  verdict: 'Look at the output yourself, and correct the prompt or the rules of the coach.',
  'step-results': 'Add the metric to the results, or its name to `key_metrics` of the step.',
}
