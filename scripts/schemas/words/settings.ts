import type { Words } from '../annotate.ts'

export const VIEW_WORDS: Words = {
  '': 'What the settings of the window chose for this workspace. The window writes this file; it is read when a window opens.',
  theme: {
    text: 'Colours of the window.',
    values: {
      system: 'As the system says.',
      light: 'Dark letters on light ground.',
      dark: 'Light letters on dark ground.',
      contrast: 'High contrast.',
    },
  },
  preset:
    'Name of the preset that sessions are decided with: a file of profiles/presets/, without its ending.',
  domains: 'Name of the domain file: a file of profiles/domains/, without its ending.',
  profile:
    'Name of the model profile: a file of profiles/models/, without its ending. `null`: none, and nothing is disabled.',
  tourSeen: 'The first tour was offered already.',
  receivesTraces:
    'Whether the window receives what programs send by OpenTelemetry, on this machine alone. Left out: false.',
  answersHooks: 'An open window answers the prompt hooks of running coding agents.',
}

export const COACH_SETTINGS_WORDS: Words = {
  '': 'How the coach asks a model. No key stands here.',
  mode: {
    text: 'Whether a model is asked.',
    values: {
      off: 'Nothing is ever sent. The rules judge alone.',
      model: 'The model is asked about outputs when a person starts it.',
    },
  },
  provider: {
    text: 'Which protocol the model speaks.',
    values: {
      anthropic: "Anthropic's Messages API.",
      'openai-compatible': 'Chat completions, as OpenAI and most local servers have them.',
    },
  },
  baseUrl: {
    text: 'Address of the API. `null`: the own one of the provider. Needed for `openai-compatible`.',
    examples: ['http://127.0.0.1:11434/v1'],
  },
  model: 'Name of the model, as the provider writes it.',
  inputPrice:
    'US dollars for a million tokens that are sent. `null`: not known, and no cost is shown.',
  outputPrice:
    'US dollars for a million tokens that come back. `null`: not known, and no cost is shown.',
  timeoutSeconds: 'Seconds that one answer may take, 1 to 600.',
  rateLimit: 'Calls a minute at most.',
  maxCost: 'US dollars that one run may use at most; the run ends there. `null`: no ceiling.',
  maxTokens: 'Tokens, in and out, that one run may use at most. `null`: no ceiling.',
}

export const PROBE_SETTINGS_WORDS: Words = {
  '': 'How the semantic probe finds its embedder. No key stands here.',
  embedder: 'Name of the embedder in use: `minilm`, which ships, or one of `embedders`.',
  auto: 'A session is probed when it is opened. Long sessions and embedders on other machines wait for a click.',
  samples: 'The sample collections are asked about sessions of your own too. Left out: no.',
  embedders: 'Embedders that you added, by the name that you gave them.',
  'embedders{}.kind':
    'What it is. `folder`: an ONNX model on this machine. `download`: a known model, fetched when you start it. `ollama` and `openai`: a server.',
  'embedders{}.title': 'Title, as lists show it.',
  'embedders{}.path': 'Folder of the model and its tokenizer.',
  'embedders{}.model': 'Name of the model.',
  'embedders{}.url': {
    text: 'Address of the server. Texts are sent there once you trust the workspace.',
    examples: ['http://127.0.0.1:11434'],
  },
  'embedders{}.keyEnv':
    'Name of the environment variable that holds the key; the key itself is stored nowhere. `null`: none is sent.',
  measured: 'Thresholds that were measured on this machine, by embedder. The window writes them.',
  'measured{}.threshold': 'Least cosine of a hit, -1 to 1.',
  'measured{}.queries': 'Number of labelled queries that it was measured on.',
}

export const POLICY_WORDS: Words = {
  '': 'What whoever administers a machine says of Turnscope: /etc/turnscope/policy.json, /Library/Application Support/Turnscope/policy.json, or %ProgramData%\\Turnscope\\policy.json. Other fields are for other programs.',
  updates: {
    text: 'Whether the desktop application may update itself. A file that cannot be read means `off`.',
    values: {
      off: 'Nothing is looked for, downloaded or installed.',
      ask: 'As without a file: each step only when the person asks for it.',
    },
  },
}
