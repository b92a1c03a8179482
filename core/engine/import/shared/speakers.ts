/** Names that always denote a model, even without a version. */
const FAMILIES =
  'gpt chatgpt claude gemini gemma bard palm llama codellama mistral mixtral codestral ministral magistral devstral qwen qwq deepseek grok command-r cohere vicuna alpaca wizardlm zephyr kimi glm minimax ernie hunyuan doubao jamba nemotron dbrx olmo copilot perplexity sonar bing internlm baichuan starcoder'
/** Names that are also names of people or things: a version has to follow. */
const WITH_VERSION =
  'phi yi falcon nova titan granite solar hermes o sonnet opus haiku nous orca tulu aya'
/** Words that may follow the name of a family. Every word with a digit may follow it too. */
const VARIANTS = new Set(
  'sonnet opus haiku instant pro flash ultra nano mini turbo large medium small chat coder code instruct max plus lite thinking reasoner reasoning base ai advanced latest preview vision vl distill beta next exp audio search deep research oss omni air'.split(
    ' ',
  ),
)
/** Words of a name that say that a program speaks. */
const PROGRAMS = new Set(['bot', 'chatbot', 'agent', 'assistant', 'llm', 'model', 'copilot'])

const ALONE = new Set(FAMILIES.split(' '))
const BEGINS = new RegExp(
  `^(?:${FAMILIES.replaceAll(' ', '|')}|${WITH_VERSION.replaceAll(' ', '|')})(?=[\\s\\d._:@-]|$)`,
)
const LONGEST = 80

/**
 * [I182] Whether a speaker's name is that of a model: `gpt-4o`, `openai/gpt-4o`, `Claude 3.5 Sonnet`, `llama3:8b`. A
 * family's name before other words is a person's: `Claude Dubois`.
 */
export function isModelName(name: string): boolean {
  if (name.length > LONGEST) return false
  const bare = bareOf(name)
  if (ALONE.has(bare)) return true
  const family = BEGINS.exec(bare)?.[0]
  if (family === undefined) return false
  const rest = wordsOf(bare.slice(family.length))
  const isVersion = rest.every((word) => /\d/.test(word) || VARIANTS.has(word))
  return isVersion && (ALONE.has(family) || rest.some((word) => /\d/.test(word)))
}

/** [I182] The same, or the name of a program: `support_bot`, `agent_1`, `Meta AI`. */
export function isProgramName(name: string): boolean {
  if (name.length > LONGEST) return false
  if (/(?:^|[\s_-])AI$|^AI[\s_-]/.test(name.trim())) return true
  const isProgram = (word: string): boolean => PROGRAMS.has(word.replace(/\d+$/, ''))
  return wordsOf(bareOf(name)).some(isProgram) || isModelName(name)
}

/** Without the provider: `us.anthropic.`, `meta-llama/`. */
function bareOf(name: string): string {
  const lower = name.trim().toLowerCase()
  return lower
    .slice(lower.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z]{2}\.)?[a-z0-9-]+\.(?=[a-z])/, '')
}

function wordsOf(name: string): readonly string[] {
  return name.split(/[\s_.:@()[\]-]+/).filter((word) => word !== '')
}
