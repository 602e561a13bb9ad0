import { expect, test, type Page } from '@playwright/test'

import { NodeAccess } from '../../src/contracts/http/server.ts'
import { violations } from './axe.ts'
import { COMMAND, openServer } from './console-page.ts'

export const card = (page: Page, title: string) => page.locator('.known').filter({ hasText: title })

/** The console of the shared server while it runs; its program repeats each command in its log. */
export const openConsole = async (page: Page): Promise<string> => {
  const serverId = await openServer(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 60_000 })
  // Before its log is there, a command goes nowhere yet.
  await expect(page.getByRole('log')).toContainText('The bot is ready')
  return serverId
}

export const printed = async (page: Page, line: string): Promise<void> => {
  await page.getByLabel(COMMAND).fill(line)
  await page.getByLabel(COMMAND).press('Enter')
  await expect(page.getByRole('log')).toContainText(`You said: ${line}`)
}

/** The node's files of the server, as a page asks for them. */
export const filesOf = async (page: Page, serverId: string) => {
  const answer = await page.request.post(`/api/server/${serverId}/token`, {
    data: { purpose: 'files' },
    headers: { origin: new URL(page.url()).origin },
  })
  const { url, path, token } = NodeAccess.parse(await answer.json())
  const headers = { authorization: `Bearer ${token}`, origin: new URL(page.url()).origin }
  const at = `${url}${path}`
  const content = (file: string) => `${at}/content?path=${encodeURIComponent(file)}`
  return {
    make: (folder: string) => page.request.post(`${at}/create-folder`, { data: { path: folder }, headers }),
    write: async (file: string, text: string | Buffer) => {
      await page.request.post(`${at}/delete`, { data: { paths: [file], forever: true }, headers })
      const put = await page.request.put(content(file), { data: text, headers: { ...headers, 'if-none-match': '*' } })
      expect(put.status(), await put.text()).toBeLessThan(300)
    },
    read: async (file: string) => {
      const got = await page.request.get(content(file), { headers })
      return got.ok() ? got.text() : null
    },
    bytes: async (file: string) => {
      const got = await page.request.get(content(file), { headers })
      return got.ok() ? got.body() : null
    },
    names: async (folder: string) => {
      const got = await page.request.post(`${at}/list`, { data: { path: folder }, headers })
      return ((await got.json()) as { entries: { name: string }[] }).entries.map(({ name }) => name).sort()
    },
  }
}

/** In both sizes the card fits, and axe finds nothing. */
export const looksRight = async (page: Page, name: string): Promise<void> => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `${name} ${size.width}`).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(wide, `${name} ${size.width} scrolls sideways`).toBeLessThanOrEqual(0)
    await page.screenshot({ path: test.info().outputPath(`${name}-${size.width}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}
