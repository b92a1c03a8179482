/**
 * [U221] Shows whether digits label the turn now. The style sheet shows one of the two texts, depending on the keyboard
 * focus.
 */
export function KeysNote({ opens }: { readonly opens: string }) {
  return (
    <p className="label-keys no-shrink text-xs num">
      <span className="label-keys-on accent">Keys 1 – 9 label this turn</span>
      <span className="label-keys-off quiet">
        Click here or press <kbd>{opens}</kbd> to label by key
      </span>
    </p>
  )
}
