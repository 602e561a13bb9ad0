import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const source = readFileSync(new URL('src/lib/fonts/families.ts', root), 'utf8')

/** Our source's declaration of a font file. */
const declared = (file: string): string | undefined => {
  const after = source.slice(source.indexOf(`${file}.woff2`))
  return /value:\s*'([^']+)'/.exec(after)?.[1]
}

/** The declaration in the font's own style sheet. */
const published = (family: string, file: string): string | undefined => {
  const sheet = readFileSync(new URL(`node_modules/@fontsource-variable/${family}/index.css`, root), 'utf8')
  const after = sheet.slice(sheet.indexOf(`${file}.woff2`))
  return /unicode-range:\s*([^;]+);/.exec(after)?.[1]
}

const covers = (ranges: string, character: string): boolean => {
  const point = character.codePointAt(0) ?? 0
  return ranges.split(',').some((range) => {
    const [from = '0', to = from] = range.replace('U+', '').split('-')
    return point >= Number.parseInt(from, 16) && point <= Number.parseInt(to, 16)
  })
}

describe.each([
  ['atkinson-hyperlegible-next', 'latin'],
  ['atkinson-hyperlegible-next', 'latin-ext'],
  ['atkinson-hyperlegible-mono', 'latin'],
  ['atkinson-hyperlegible-mono', 'latin-ext'],
])('%s, %s', (family, subset) => {
  const file = `${family}-${subset}-wght-normal`

  it('is loaded for the characters it was published for', () => {
    expect(published(family, file)).toBeDefined()
    expect(declared(file)).toBe(published(family, file))
  })

  it(`${subset === 'latin' ? 'leaves' : 'holds'} the Hungarian double acute letters`, () => {
    const ranges = declared(file) ?? ''
    expect([...'őűŐŰ'].every((letter) => covers(ranges, letter))).toBe(subset === 'latin-ext')
    expect([...'áéíöüÄß€'].every((letter) => covers(ranges, letter))).toBe(subset === 'latin')
  })
})
