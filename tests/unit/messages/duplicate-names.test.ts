import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe.each(['en', 'hu', 'de'])('the %s catalog as text', (locale) => {
  it('names each top-level group once', () => {
    const text = readFileSync(new URL(`../../../src/messages/${locale}.json`, import.meta.url), 'utf8')
    const names = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map((match) => match[1])
    expect(names.length).toBeGreaterThan(8)
    expect(names).toEqual([...new Set(names)])
  })
})
