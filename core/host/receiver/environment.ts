import type { ReceiverStatus } from '../../wire/receiver.ts'
import { TOKEN_HEADER } from './guard.ts'

/** [F147] What a program that sends has to have in its environment, by who it is. */
export function environmentOf(url: string, token: string | null): ReceiverStatus['environment'] {
  const all = [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    ...(token === null ? [] : [`OTEL_EXPORTER_OTLP_HEADERS=${TOKEN_HEADER}=${token}`]),
  ]
  return [
    { of: 'Any program', lines: all },
    {
      of: 'Claude Code',
      lines: [
        'CLAUDE_CODE_ENABLE_TELEMETRY=1',
        'OTEL_LOGS_EXPORTER=otlp',
        ...all,
        // Without them there are no words, only that something was said.
        'OTEL_LOG_USER_PROMPTS=1',
        'OTEL_LOG_TOOL_DETAILS=1',
      ],
    },
  ]
}
