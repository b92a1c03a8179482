/**
 * [I52] A larger young generation than this costs more memory than it saves time. A session that
 * outgrows the old one ends its own thread, not the application.
 */
export const SESSION_LIMITS = {
  maxOldGenerationSizeMb: 4096,
  maxYoungGenerationSizeMb: 24,
} as const
