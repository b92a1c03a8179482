import type { DiagnosticCode, SelfSignalDiagnostic } from '../schema/self-signal.ts'
import type { Span } from '../schema/trace.ts'

export function diagnostic(
  code: DiagnosticCode,
  span: Span,
  message: string,
  field: string | null = null,
): SelfSignalDiagnostic {
  return { code, span, field, message }
}
