import type { RedactionKind } from '../../../core/engine/schema/redaction.ts'

/** How people are told what is taken out. */
export const KIND_WORDS: Readonly<
  Record<RedactionKind, { readonly many: string; readonly about: string }>
> = {
  key: {
    many: 'Keys and passwords',
    about: 'API keys, private keys, passwords in URLs and settings',
  },
  token: { many: 'Tokens', about: 'Bearer tokens, session cookies, signed tokens' },
  email: { many: 'E-mail addresses', about: 'Addresses of people' },
  home: { many: 'Home paths', about: 'Paths that name a person of this or another machine' },
}
