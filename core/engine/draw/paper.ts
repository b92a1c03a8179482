import type { PictureTheme } from '../schema/picture.ts'

/** Colours of a picture beside those of the domains, by their use. */
export interface Paper {
  readonly paper: string
  /** Rows and cells without anything in them. */
  readonly soft: string
  readonly line: string
  readonly ink: string
  readonly ink2: string
  readonly ink3: string
  readonly accent: string
  readonly bad: string
  /** Parts of a budget, in their order. */
  readonly tiers: Readonly<Record<TierColor, string>>
}

export type TierColor = 'tier0' | 'tier1' | 'history' | 'telemetry' | 'framing' | 'prompt'

/** The colours of the window's two themes, on white and on its dark panel. */
export const PAPERS: Readonly<Record<PictureTheme, Paper>> = {
  light: {
    paper: '#ffffff',
    soft: '#f2f4f7',
    line: '#d5dbe2',
    ink: '#18212b',
    ink2: '#46535f',
    ink3: '#5d6a77',
    accent: '#0a5fc4',
    bad: '#b9271f',
    tiers: {
      tier0: '#0a5fc4',
      tier1: '#0d8574',
      history: '#8246d6',
      telemetry: '#c05c0c',
      framing: '#46535f',
      prompt: '#0a5fc4',
    },
  },
  dark: {
    paper: '#151a20',
    soft: '#1d242c',
    line: '#36414d',
    ink: '#e9eef4',
    ink2: '#adb8c4',
    ink3: '#8492a0',
    accent: '#58a6ff',
    bad: '#ff7b72',
    tiers: {
      tier0: '#58a6ff',
      tier1: '#43c9b2',
      history: '#c39bff',
      telemetry: '#f2a65e',
      framing: '#adb8c4',
      prompt: '#58a6ff',
    },
  },
}

/** [U150] Font names with fallbacks, because a shared file embeds no font. */
export const FONTS =
  "'Inter Variable', Inter, 'Helvetica Neue', Arial, 'Liberation Sans', system-ui, sans-serif"
