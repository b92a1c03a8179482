/** Folder of the workspace for labels that cannot be stored next to their session. */
export const LABELS_FOLDER = 'labels'
/** How names of files of labels end. */
export const LABELS_SUFFIX = '.labels.jsonl'
