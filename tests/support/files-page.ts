import { expect, type Locator, type Page } from '@playwright/test'
import { openServer } from './console-page.ts'

/** The row of an entry in the list of a folder. */
export const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

/**
 * The activities of the person, with these words among them: the node reports a moment after it was done, and the page shows what was known
 * when it was opened.
 */
export const seeActivities = async (page: Page, all: readonly string[]): Promise<void> => {
  await expect(async () => {
    await page.goto('/en/dashboard/activities')
    for (const words of all) await expect(page.getByText(words).first()).toBeVisible({ timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
}

/** A server's files, once it is installed and its folder has something in it; resolves with the server's id. */
export const openFiles = async (page: Page): Promise<string> => {
  const serverId = await openServer(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 120_000 })
  await page.goto(`/en/panel/${serverId}/files`)
  await expect(row(page, 'package.json')).toBeVisible()
  return serverId
}
