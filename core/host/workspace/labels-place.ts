/** Folder of the workspace for labels that cannot be stored next to their session. */
export const LABELS_FOLDER = 'labels'
/** Ending of the names of label files. */
export const LABELS_SUFFIX = '.labels.jsonl'
