/** More turns than any session has: with this threshold momentum is never strong. */
export const NEVER_STRONG = 1_000_000_000
