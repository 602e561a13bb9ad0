import { createRequire } from 'node:module'
import { Font } from '@react-pdf/renderer'

const require = createRequire(import.meta.url)
const WEIGHTS = [400, 700] as const
// Hungarian ő and ű are only in the extended files.
const SUBSETS = ['latin', 'latin-ext'] as const

const fileOf = (subset: string, weight: number): string =>
  require.resolve(
    `@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-${subset}-${weight}-normal.woff`,
  )

const nameOf = (subset: string): string => `Atkinson Hyperlegible Next ${subset}`

/** What a page names as its font: each letter is taken from the first file that has it. */
export const FONT_FAMILY: string[] = SUBSETS.map(nameOf)

let isRegistered = false

/** Tells the renderer where the font files lie. Words are not parted: rules of one language would part those of another. */
export function registerFonts(): void {
  if (isRegistered) return
  isRegistered = true
  for (const subset of SUBSETS) {
    const fonts = WEIGHTS.map((fontWeight) => ({ src: fileOf(subset, fontWeight), fontWeight }))
    Font.register({ family: nameOf(subset), fonts })
  }
  Font.registerHyphenationCallback((word) => [word])
}
