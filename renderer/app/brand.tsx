/** The mark: four turns of different weight. */
export function BrandMark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden focusable="false">
      <rect x="1" y="12" width="3.4" height="6" rx="1" fill="#488bef" />
      <rect x="5.9" y="7" width="3.4" height="11" rx="1" fill="#35b89c" />
      <rect x="10.8" y="2" width="3.4" height="16" rx="1" fill="#e9ae2b" />
      <rect x="15.7" y="9" width="3.4" height="9" rx="1" fill="#e0474d" />
    </svg>
  )
}
