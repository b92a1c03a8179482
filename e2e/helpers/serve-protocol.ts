/** Messages between a test and the host process of serve-main.ts. One request at a time; each has one answer. */
export interface ServeRequest {
  readonly op: 'start'
  readonly workspace: string
  /** Folder of the built renderer. */
  readonly root: string
  /** 0 = any free port. */
  readonly port: number
  readonly receiverPort: number
  /** File that the first page opens, or null. */
  readonly file: string | null
  /** Address of a feed of updates, or null. */
  readonly feed: string | null
  /** Variables of the environment while this workspace is served. */
  readonly variables: Readonly<Record<string, string>>
}

export type Request = ServeRequest | { readonly op: 'close' }

export type Answer =
  | { readonly op: 'ready' }
  | { readonly op: 'started'; readonly url: string }
  /** `left`: kinds of handles that the closed host still holds. */
  | { readonly op: 'closed'; readonly left: readonly string[] }
  | { readonly op: 'failed'; readonly message: string }
