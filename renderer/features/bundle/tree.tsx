import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react'
import type { PromptPart, TierName } from '../../../core/engine/schema/bundle-report.ts'
import { nodeOfPart, treeNodes, type TreeNode } from './tree-nodes.ts'
import { TierDot } from './tier-bar.tsx'

interface Props {
  readonly bundle: object
  readonly parts: readonly PromptPart[]
  readonly open: ReadonlySet<string>
  readonly setOpen: (open: ReadonlySet<string>) => void
  readonly selected: string | null
  /** Line whose part the pointer is over. */
  readonly pointed: string | null
  readonly onSelect: (node: string) => void
  readonly onPoint: (node: string | null) => void
}

/** The object model of A1 as a tree: arrows walk it, Enter points at the text that a line became. */
export function BundleTree(props: Props) {
  const { bundle, parts, open, setOpen, selected, pointed, onSelect, onPoint } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const nodes = useMemo(() => treeNodes(bundle, open), [bundle, open])
  const tiers = useMemo(() => tiersOf(parts), [parts])
  const current = nodes.find((node) => node.id === selected) ?? nodes[0]
  useEffect(() => reveal(box.current, '[aria-selected="true"]'), [selected, nodes])
  const toggle = (node: TreeNode, wanted: boolean) => {
    const next = new Set(open)
    if (wanted) next.add(node.id)
    else next.delete(node.id)
    setOpen(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = nodes.findIndex((node) => node === current)
    const go = (to: number) => {
      const node = nodes[Math.min(nodes.length - 1, Math.max(0, to))]
      if (node) onSelect(node.id)
    }
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(selected === null ? 0 : at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(nodes.length - 1),
      ArrowRight: () => {
        if (current?.branch === true && !open.has(current.id)) toggle(current, true)
        else go(at + 1)
      },
      ArrowLeft: () => {
        if (current?.branch === true && open.has(current.id)) toggle(current, false)
        else go(nodes.findLastIndex((node, i) => i < at && node.depth < (current?.depth ?? 0)))
      },
    }
    const run = keys[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  return (
    <div
      ref={box}
      className="bundle-tree"
      role="tree"
      aria-label="Bundle"
      tabIndex={0}
      aria-activedescendant={current && selected !== null ? `${id}-${current.id}` : undefined}
      onKeyDown={onKeyDown}
      onPointerLeave={() => onPoint(null)}
    >
      {nodes.map((node) => {
        const tier = tiers.get(node.id)
        return (
          <div
            key={node.id}
            id={`${id}-${node.id}`}
            role="treeitem"
            aria-level={node.depth}
            aria-selected={node.id === selected}
            {...(node.branch ? { 'aria-expanded': open.has(node.id) } : {})}
            className={`row text-s nowrap gap-6 pointer tree-line${node.id === pointed ? ' tree-pointed' : ''}`}
            style={{ '--depth': node.depth - 1 }}
            onPointerEnter={() => onPoint(node.id)}
            onClick={() => {
              onSelect(node.id)
              if (node.branch) toggle(node, !open.has(node.id) || node.id !== selected)
            }}
          >
            <ChevronRight
              size={12}
              aria-hidden
              className={`no-shrink quiet tree-arrow${open.has(node.id) ? ' tree-open' : ''}`}
              visibility={node.branch ? undefined : 'hidden'}
            />
            <TierDot of={tier} />
            <span className="ink no-shrink">{node.name}</span>
            <span
              className={`tree-value text-code grow dim clip tree-${node.kind}`}
              title={node.value}
            >
              {node.value}
            </span>
          </div>
        )
      })}
    </div>
  )
}

/** Tier of each line that has text in the prompt. */
function tiersOf(parts: readonly PromptPart[]): ReadonlyMap<string, TierName> {
  const tiers = new Map<string, TierName>()
  for (const part of parts) {
    const node = nodeOfPart(part)
    if (node !== null && part.tier !== null) tiers.set(node, part.tier)
  }
  return tiers
}

/** Scrolls a box, and no ancestor, until the matching element is visible. */
export function reveal(box: HTMLElement | null, selector: string): void {
  const found = box?.querySelector<HTMLElement>(selector)
  if (!box || !found) return
  const top = found.offsetTop
  const bottom = top + Math.min(found.offsetHeight, box.clientHeight - 16)
  if (top < box.scrollTop) box.scrollTop = top - 8
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 8
}
