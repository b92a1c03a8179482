/** Options that a test gives the double before the app under test is loaded; JSON in the environment. */
export interface DoubleOptions {
  readonly appPath: string
  readonly userData: string
  /** Folder of the installed app's shipped files. */
  readonly resourcesPath: string
  readonly isPackaged: boolean
  /** The user's arguments, after program name (and app folder if unpackaged). */
  readonly args: readonly string[]
  /** False = another instance holds the lock. */
  readonly isFirstInstance: boolean
  readonly browser: string
  readonly launchArgs: readonly string[]
  /** Result of the file dialog; null if cancelled. */
  readonly chosenFile: string | null
  /** Result of the same dialog for folders. */
  readonly chosenFolder: string | null
  /** Folder that the save dialog answers with, under the suggested name; null = cancelled. */
  readonly saveFolder: string | null
}

export const OPTIONS_VARIABLE = 'ELECTRON_DOUBLE'

/** An IPC message as a test forges it; null `url` = the frame is gone. */
export interface ForgedSender {
  readonly contentsId: 'own' | 'other'
  readonly url: string | null
  readonly isMainFrame: boolean
}

/** Commands from a test to a running double. */
export type Command =
  | { readonly op: 'evaluate'; readonly expression: string }
  | { readonly op: 'waitFor'; readonly selector: string }
  | { readonly op: 'state' }
  | { readonly op: 'appEvent'; readonly event: string; readonly args: readonly unknown[] }
  | { readonly op: 'contentsEvent'; readonly event: string; readonly details: object }
  | {
      readonly op: 'ipc'
      readonly channel: string
      readonly message: unknown
      readonly from: ForgedSender
    }
  | { readonly op: 'permissions'; readonly permission: string; readonly url: string }
  | { readonly op: 'menu'; readonly id: string }
  | { readonly op: 'closeWindow' }

/** The double's state of the app under test. */
export interface DoubleState {
  readonly windows: number
  readonly pages: number
  readonly visible: boolean
  readonly openedExternally: readonly string[]
  readonly recentDocuments: readonly string[]
  readonly protocolClients: readonly string[]
  readonly channels: readonly string[]
  readonly devTools: boolean
  /** Errors that the page logged, broken policies among them. */
  readonly pageErrors: readonly string[]
}

export interface PermissionAnswers {
  readonly request: boolean
  readonly check: boolean
  readonly device: boolean
  readonly displayMedia: boolean
}
