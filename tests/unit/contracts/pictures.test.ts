import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DRAWING_SIZES, DRAWINGS, drawingPath, type DrawingGroup } from '#contracts/pictures.ts'

const groups = Object.keys(DRAWINGS) as DrawingGroup[]
const MAX_BYTES = 12_000

describe.each(groups)('the drawings of %s', (group) => {
  const files = readdirSync(`src/pictures/${group}`).toSorted()

  test('are exactly those that the contract names', () => {
    expect(files).toEqual([...DRAWINGS[group]].map((name) => `${name}.svg`).toSorted())
  })

  test.each(files)('%s has the size of its group, no script and no outside address', (file) => {
    const svg = readFileSync(`src/pictures/${group}/${file}`, 'utf8')
    const { width, height } = DRAWING_SIZES[group]
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}"`)
    expect(svg).not.toMatch(/<script|<style|<foreignObject|\son\w+=|href=|url\(|gradient|filter/i)
    expect(Buffer.byteLength(svg)).toBeLessThan(MAX_BYTES)
  })
})

test('a drawing is addressed by its group and name', () => {
  expect(drawingPath('banners', 'minecraft')).toBe('/pictures/banners/minecraft.svg')
  expect(drawingPath('icons', 'vps')).toBe('/pictures/icons/vps.svg')
})
