/** Pictures and screens have the same colours: the table lies where both can read it. */
export {
  type DomainStyles,
  PALETTE,
  type ThemeColors,
  type ThemeName,
  contrastRatio,
  domainStyle,
} from '../../core/engine/schema/domain-style.ts'
