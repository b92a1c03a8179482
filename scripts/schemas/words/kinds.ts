/** Meaning of each kind of event. */
export const KINDS = {
  user: 'What a person typed. It is a turn.',
  agent: 'What the agent said.',
  reasoning: 'What the agent thought.',
  tool_call: 'A call of a tool.',
  tool_result: 'What a tool answered. It is a turn under the presets that ship.',
  injected: 'A text that a program put under the role of the person.',
  command: 'A command of the interface, or what it printed.',
  summary: 'A summary in the place of older messages.',
  interruption: 'The person stopped the agent.',
  subagent_prompt: 'What an agent told a sub-agent to do.',
  notification: 'A notice of the program that runs the agent.',
  system: 'A system prompt or an instruction of a developer.',
  meta: 'Anything else that is worth showing.',
  step: 'A step of a pipeline; its text is the JSON of a step record.',
} as const
