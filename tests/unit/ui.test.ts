import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../src/ui/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const sheets = readdirSync(new URL('styles/', folder)).map((name) => `styles/${name}`)
const THEME = 'styles/theme.css'
const theme = read(THEME).split('@media (prefers-contrast')[0] ?? ''
const colours = new Map([...theme.matchAll(/--color-([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]))

const luminance = (hex: string): number => {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

const colour = (name: string): string => {
  const hex = colours.get(name)
  if (hex === undefined) throw new Error(`There is no colour ${name}`)
  return hex
}

/** Contrast of WCAG 2.2 between two tokens. */
const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(colour(one)), luminance(colour(other))].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['base', 's1', 's2', 's3', 'pit']
const texts = ['bone', 'text-2', 'text-3', 'link', 'go-text', 'wait', 'stop-text', 'ansi-magenta', 'ansi-cyan']
const tints = ['stop-tint', 'go-tint', 'wait-tint', 'enamel-tint']

describe('contrast of the tokens', () => {
  it('knows black on white', () => {
    expect((1 + 0.05) / (0 + 0.05)).toBe(21)
    expect(contrast('bone', 'base')).toBeCloseTo(16.65, 1)
  })

  it.each(texts.flatMap((text) => [...grounds, ...tints].map((ground) => [text, ground] as const)))(
    '%s is readable on %s',
    (text, ground) => {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each([
    ['on-enamel', 'enamel'],
    ['on-enamel', 'enamel-hover'],
    ['on-enamel', 'danger'],
    ['on-enamel', 'danger-hover'],
    ['base', 'bone'],
    ['base', 'bone-press'],
    ['bone', 'enamel-tint'],
    ['text-2', 'enamel-tint'],
    ['wait', 'wait-tint'],
    ['go-text', 'go-tint'],
    ['stop-text', 'stop-tint'],
    ['bone', 'stop-tint'],
  ])('%s is readable on %s', (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(
    ['control', 'stop-ring', 'off', 'go', 'wait', 'stop'].flatMap((edge) =>
      ['base', 's1', 's2', 's3'].map((ground) => [edge, ground] as const),
    ),
  )('%s stands out as a shape on %s', (shape, ground) => {
    expect(contrast(shape, ground)).toBeGreaterThanOrEqual(3)
  })
})

describe('the palette', () => {
  it('removes what the framework brings', () => {
    expect(theme).toMatch(/@theme static \{\s*--\*: initial;/)
  })

  it('is the only place with colour values', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.(?:css|tsx)$/.test(name) && name !== THEME,
    )
    expect(files.length).toBeGreaterThan(20)
    const stray = files.filter((name) =>
      /#[0-9a-f]{3,8}\b(?![\w-])/i.test(read(name).replaceAll(/url\([^)]*\)|href="#[^"]*"/g, '')),
    )
    expect(stray).toEqual([])
  })

  it('names every colour that a style sheet reads', () => {
    const defined = new Set([...read(THEME).matchAll(/--color-([\w-]+):/g)].map((match) => match[1]))
    const used = sheets.flatMap((name) => [...read(name).matchAll(/var\(--color-([\w-]+)\)/g)].map((match) => match[1]))
    expect(used.length).toBeGreaterThan(100)
    expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([])
  })
})
