/** User-facing causes and remedies of system errors when the disk accepts no data. */
export const DISK_CAUSES: Readonly<Record<string, { readonly what: string; readonly do: string }>> =
  {
    ENOSPC: { what: 'the disk is full', do: 'Make room there' },
    EDQUOT: { what: 'the quota of this account is used up', do: 'Make room there' },
    EROFS: { what: 'the disk may only be read', do: 'Make it writable' },
    EACCES: { what: 'this account may not write there', do: 'Check its rights' },
    EPERM: { what: 'this account may not write there', do: 'Check its rights' },
  }
