import { describe, expect, it } from 'vitest'
import { besideDomains } from './row-columns.tsx'

describe('[F144] a flip of a batch', () => {
  it('says what is another where its domains are the same', () => {
    expect(besideDomains(['enrichment'])).toBe('only the enrichment')
    expect(besideDomains(['signature', 'enrichment'])).toBe('only the signature and enrichment')
  })

  it('says nothing beside domains that are others', () => {
    expect(besideDomains(['primary', 'signature'])).toBeNull()
    expect(besideDomains(['secondary', 'signature', 'enrichment'])).toBeNull()
  })
})
