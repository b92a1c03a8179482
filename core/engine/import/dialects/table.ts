import type { Importer } from '../source.ts'
import { crushStore, cursorStore, warpStore } from './agent-stores.ts'
import { discord, sillyTavern, slack, teams } from './chats.ts'
import { amazonQ, antigravity, kiroCli, opencodeRun } from './coding-agents.ts'
import { dialectImporter } from './dialect.ts'
import { llamaIndex, mastra, semanticKernel } from './frameworks.ts'
import { adk, aiStudio, geminiContents } from './google.ts'
import { pydanticAi } from './pydantic-ai.ts'
import { acp, agUi } from './streams.ts'
import { chatReplay, vscodeDebugLog } from './vscode-logs.ts'
import { deepseek, grokWeb, takeoutGemini } from './web-exports.ts'

/** [I190] Formats that share one importer. None of them knows a record of another format. */
export const DIALECTS: readonly Importer[] = [
  deepseek,
  grokWeb,
  dialectImporter(takeoutGemini),
  dialectImporter(adk),
  dialectImporter(pydanticAi),
  dialectImporter(geminiContents),
  dialectImporter(aiStudio),
  dialectImporter(semanticKernel),
  dialectImporter(llamaIndex),
  dialectImporter(mastra),
  dialectImporter(agUi),
  dialectImporter(acp),
  dialectImporter(kiroCli),
  dialectImporter(amazonQ),
  dialectImporter(opencodeRun),
  dialectImporter(antigravity),
  dialectImporter(chatReplay),
  dialectImporter(vscodeDebugLog),
  dialectImporter(cursorStore),
  dialectImporter(crushStore),
  dialectImporter(warpStore),
  dialectImporter(slack),
  dialectImporter(discord),
  dialectImporter(teams),
  dialectImporter(sillyTavern),
]
