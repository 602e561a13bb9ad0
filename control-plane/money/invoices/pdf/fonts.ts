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

/**
 * Tells the renderer where the font files lie, and makes it read them anew. A letter that one document used only as a part of
 * another (the o of an ó) keeps no letter of its own in what is in memory, and the next document could not be read aloud or
 * searched. Words are not parted: rules of one language would part those of another.
 */
export function freshFonts(): void {
  for (const subset of SUBSETS) {
    const family = nameOf(subset)
    delete Font.getRegisteredFonts()[family]
    Font.register({ family, fonts: WEIGHTS.map((fontWeight) => ({ src: fileOf(subset, fontWeight), fontWeight })) })
  }
  Font.registerHyphenationCallback((word) => [word])
}
