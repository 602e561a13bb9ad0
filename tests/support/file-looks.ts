import { expect, type Page } from '@playwright/test'
import { violations } from './axe.ts'
import { catalogWords, type CatalogLanguage, type CatalogWords } from './catalog-words.ts'

/** A state of the pages of files: how the open page comes into it, and what it shows then. */
export type FileState = {
  readonly name: string
  /** Below the server's panel; the top folder unless something else is said. */
  readonly path?: string
  /** Brings the page into its state, before it is opened. */
  readonly before?: (page: Page) => Promise<unknown>
  /** Brings the open page into its state. */
  readonly act?: (page: Page, say: CatalogWords) => Promise<unknown>
  /** Is there once the page is in this state. */
  readonly sign: string
  /** Brings what is shared by all pages back. */
  readonly after?: (page: Page) => Promise<unknown>
  readonly onlyDesk?: boolean
}

export const LOOK_SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

type Looked = { readonly serverId: string; readonly language: CatalogLanguage }

/** Opens the page in its state at each size: axe finds nothing, and nothing is wider than the page. */
export const lookAt = async (page: Page, state: FileState, { serverId, language }: Looked): Promise<void> => {
  const { name, path = 'files', before, act, sign, after, onlyDesk = false } = state
  for (const size of onlyDesk ? LOOK_SIZES.slice(0, 1) : LOOK_SIZES) {
    await page.setViewportSize(size)
    await before?.(page)
    await page.goto(`/${language}/panel/${serverId}/${path}`)
    await expect(page.locator('.fpane, .ed, .page').filter({ visible: true }).first()).toBeVisible()
    await expect(page.locator('.skel')).toHaveCount(0)
    await act?.(page, catalogWords(language))
    await expect(page.locator(sign).filter({ visible: true }).first(), name).toBeVisible({ timeout: 60_000 })
    const what = `${name} at ${size.width}, ${language}`
    expect.soft(await violations(page), what).toEqual([])
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(widest, `${what} scrolls sideways`).toBeLessThanOrEqual(size.width)
    await after?.(page)
  }
}
