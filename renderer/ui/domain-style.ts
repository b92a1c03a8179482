/** Pictures and the window share these colors, so the table is in the engine. */
export {
  type DomainStyles,
  PALETTE,
  type ThemeColors,
  type ThemeName,
  contrastRatio,
  domainStyle,
} from '../../core/engine/schema/domain-style.ts'
