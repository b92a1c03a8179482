import { beginConnection } from './connection.ts'

// [U203] The build puts this and what it needs into a script of its own, which runs before the window's is there.
beginConnection()
