import { a2a } from './a2a/importer.ts'
import { agentZero } from './agent-zero/importer.ts'
import { aiSdk } from './ai-sdk/importer.ts'
import { aider } from './aider/importer.ts'
import { anthropicMessages } from './anthropic-messages/importer.ts'
import { assistants } from './assistants/importer.ts'
import { atif } from './atif/importer.ts'
import { audit } from './audit/importer.ts'
import { autogen } from './autogen/importer.ts'
import { chatgptExport } from './chat-export/chatgpt.ts'
import { claudeExport } from './chat-export/claude.ts'
import { ccConsole } from './claude-code/console.ts'
import { claudeCode } from './claude-code/importer.ts'
import { claudeStream } from './claude-code/stream.ts'
import { cline } from './cline/importer.ts'
import { codex } from './codex/importer.ts'
import { copilotCli } from './copilot-cli/importer.ts'
import { cursor } from './cursor/importer.ts'
import { cursorMarkdown } from './cursor/markdown.ts'
import { continueDev } from './continue/importer.ts'
import { crewai } from './crewai/importer.ts'
import { DIALECTS } from './dialects/table.ts'
import { droid } from './droid/importer.ts'
import { generic } from './generic/importer.ts'
import { geminiCli } from './gemini-cli/importer.ts'
import { inspect } from './inspect/importer.ts'
import { goose } from './goose/importer.ts'
import { grok } from './grok/importer.ts'
import { iflow } from './iflow/importer.ts'
import { kimi } from './kimi/importer.ts'
import { miniSweAgent } from './mini-swe-agent/importer.ts'
import { native } from './native/importer.ts'
import { openaiMessages } from './openai-messages/importer.ts'
import { opencode } from './opencode/importer.ts'
import { openhands } from './openhands/importer.ts'
import { pi } from './pi/importer.ts'
import { pipelineRun } from './pipeline-run/importer.ts'
import { plainText } from './plain-text/importer.ts'
import { qwenCode } from './qwen-code/importer.ts'
import { shareGpt } from './sharegpt/importer.ts'
import type { Importer } from './source.ts'
import { langchain } from './langchain/importer.ts'
import { smolagents } from './smolagents/importer.ts'
import { librechat } from './librechat/importer.ts'
import { agentsSdk } from './spans/agents-sdk.ts'
import { langfuse } from './spans/langfuse.ts'
import { langsmith } from './spans/langsmith.ts'
import { otelSpans } from './spans/otel-spans.ts'
import { otlp } from './spans/otlp.ts'
import { specstory } from './specstory/importer.ts'
import { sweAgent } from './swe-agent/importer.ts'
import { tauBench } from './tau-bench/importer.ts'
import { tau2Bench } from './tau2-bench/importer.ts'
import { telegram } from './telegram/importer.ts'
import { vscodeChat } from './vscode-chat/importer.ts'
import { zed } from './zed/importer.ts'
import { whatsapp } from './whatsapp/importer.ts'
import { whoAndWhen } from './who-and-when/importer.ts'

/** [I1] The formats. The first record that any row recognises decides; if several do, the first row. */
export const IMPORTERS: readonly Importer[] = [
  native,
  aider,
  specstory,
  cursorMarkdown,
  ccConsole,
  whatsapp,
  plainText,
  ...DIALECTS,
  droid,
  iflow,
  qwenCode,
  claudeCode,
  claudeStream,
  anthropicMessages,
  grok,
  kimi,
  codex,
  goose,
  assistants,
  continueDev,
  zed,
  aiSdk,
  a2a,
  geminiCli,
  pi,
  cline,
  cursor,
  vscodeChat,
  copilotCli,
  opencode,
  agentZero,
  sweAgent,
  miniSweAgent,
  openhands,
  tauBench,
  tau2Bench,
  atif,
  whoAndWhen,
  chatgptExport,
  claudeExport,
  librechat,
  inspect,
  otlp,
  langfuse,
  langsmith,
  otelSpans,
  agentsSdk,
  telegram,
  audit,
  pipelineRun,
  autogen,
  crewai,
  smolagents,
  langchain,
  shareGpt,
  openaiMessages,
  generic,
]
