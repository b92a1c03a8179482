/** A part of the window that F6 goes to. */
interface Region {
  readonly name: string
  readonly root: string
  /** Selectors of the elements that can take the keyboard focus. The first one present and visible is used. */
  readonly targets: readonly string[]
}

const CHOSEN_TAB = '[role="tab"][aria-selected="true"]'
/** Elements that the Tab key reaches. */
const TABBABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'

/** [U78] In the order of the page. */
const REGIONS: readonly Region[] = [
  { name: 'header', root: 'header.header', targets: ['.search-button', TABBABLE] },
  { name: 'library', root: 'nav[aria-label="Library"]', targets: [TABBABLE] },
  { name: 'timeline', root: 'section[aria-label="Timeline"]', targets: ['.tl-plot', TABBABLE] },
  {
    name: 'list',
    root: 'section[aria-label="Events"]',
    targets: ['[role="grid"]', TABBABLE],
  },
  { name: 'inspector', root: 'section[aria-label="Inspector"]', targets: [CHOSEN_TAB, TABBABLE] },
  { name: 'dock', root: '.dock', targets: [CHOSEN_TAB, TABBABLE] },
  { name: 'tour', root: 'section.tour-card', targets: ['.tour-next', TABBABLE] },
  { name: 'main', root: 'main', targets: [TABBABLE] },
  { name: 'status', root: 'footer.status', targets: [TABBABLE] },
]

function isSeen(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.checkVisibility({ visibilityProperty: true })
}

function targetOf({ root, targets }: Region): HTMLElement | null {
  const part = document.querySelector(root)
  if (!part || !isSeen(part)) return null
  for (const target of targets) {
    const found = [...part.querySelectorAll(target)].find(isSeen)
    if (found) return found // isSeen said so
  }
  return null
}

/** `main` counts only if its parts are absent, as on the start page or in a folder. */
function usable(): readonly Region[] {
  const hasParts = document.querySelector('section[aria-label="Events"]') !== null
  return REGIONS.filter((region) => targetOf(region) && (region.name !== 'main' || !hasParts))
}

/** [U78] Moves the keyboard to the next (`by` 1) or previous region, around the end. */
export function moveRegion(by: 1 | -1): void {
  const all = usable()
  const at = all.findLastIndex(({ root }) => document.activeElement?.closest(root))
  const next = at === -1 && by === -1 ? all.length - 1 : (at + by + all.length) % all.length
  const region = all[next]
  if (region) targetOf(region)?.focus()
}

/** Moves the keyboard focus to a region. Returns false if the region is not present. */
export function focusRegion(name: string): boolean {
  const region = REGIONS.find((one) => one.name === name)
  const target = region ? targetOf(region) : null
  target?.focus()
  return target !== null
}

/** [U79] Moves the focus to the selection if no element has it, as after a dialog or a jump. */
export function focusSelection(): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body) focusRegion('list')
}
