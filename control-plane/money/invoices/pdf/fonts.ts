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

/** The font of a page: each glyph is taken from the first file that has it. */
export const FONT_FAMILY: string[] = SUBSETS.map(nameOf)

/**
 * Registers the font files with the renderer, and makes it reload them. A glyph that one document used only as a part
 * of another (the o of an ó) loses its mapping in the cached font, and the next document could be neither read aloud
 * nor searched. Words are not hyphenated, because the rules of one language are wrong for another.
 */
export function freshFonts(): void {
  for (const subset of SUBSETS) {
    const family = nameOf(subset)
    delete Font.getRegisteredFonts()[family]
    Font.register({ family, fonts: WEIGHTS.map((fontWeight) => ({ src: fileOf(subset, fontWeight), fontWeight })) })
  }
  Font.registerHyphenationCallback((word) => [word])
}
