import { config } from 'zod'

/** The page may not make code from text, and zod need not try. Before any schema is made. */
config({ jitless: true })
