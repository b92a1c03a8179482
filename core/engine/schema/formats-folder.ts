/** Folder of a workspace for mapping files. */
export const FORMATS_FOLDER = 'profiles/formats'
