import { beginConnection } from './connection.ts'

// [U203] The build puts this module and its dependencies into a separate script, which runs before the window's script
// is loaded.
beginConnection()
