import { expect, type Page } from '@playwright/test'

/** Opens the search by its key. A press before React serves the page is lost, so it is repeated until the search is there. */
export const openSearch = async (page: Page): Promise<void> => {
  const dialog = page.locator('.pal')
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.keyboard.press('Alt+q')
    await expect(dialog).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 90_000 })
}
