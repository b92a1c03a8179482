/** The inspector before its turn is here. */
export function InspectorSkeleton() {
  return (
    <div className="inspector-skeleton stack" aria-busy aria-label="Loading">
      <i className="bone" />
      <i className="bone bone-title" />
      <i className="bone bone-long" />
      <i className="bone bone-long" />
      <i className="bone" />
      <i className="bone bone-long" />
      <i className="bone bone-long" />
    </div>
  )
}
