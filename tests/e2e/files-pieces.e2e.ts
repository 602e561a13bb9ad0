import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { openFiles, row } from '../support/files-page.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const LINES = 300_000

test('a log that is too large for the editor is read by pieces, from its end too', async ({ page }) => {
  const serverId = await openFiles(page)
  const text = Array.from({ length: LINES }, (_, index) => `[12:00:00] [Server/INFO]: őr ${index}`).join('\n')
  const file = { name: 'large.log', mimeType: 'text/plain', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').last().setInputFiles(file)
  await expect(row(page, 'large.log')).toBeVisible()
  await page.goto(`/en/panel/${serverId}/edit/large.log`)
  const code = page.locator('.cm-content')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(code).toContainText('őr 0')
  await expect(page.getByText('0 B–4 MB of', { exact: false })).toBeVisible()
  await expect(button('Beginning')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)

  await button('End').click()
  await expect(button('End')).toBeDisabled()
  // The end of a log is what people look for: it is shown at once.
  await expect(code).toContainText(`őr ${LINES - 1}`)
  await button('Part before').click()
  await expect(code).toBeVisible()
  await expect(button('End')).toBeEnabled()
  await button('Beginning').click()
  await expect(code).toContainText('őr 0')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expect(button('Part after')).toBeInViewport({ ratio: 1 })
    expect.soft(await violations(page), `at ${size.width}`).toEqual([])
  }
})
