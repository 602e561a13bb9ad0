import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { Server } from '../../src/contracts/http/server.ts'
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

export const code = (page: Page): Locator => page.locator('.cm-content')
export const dialog = (page: Page): Locator => page.locator('dialog[open]')

/** The folder of a server on the node's disk. */
export const rootOf = async (
  page: Page,
  { dataDir, serverId }: { dataDir: string; serverId: string },
): Promise<string> => {
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  return join(dataDir, 'agent/servers', identifier, 'root')
}

/** A file in a server's folder as a program of the server writes it: it belongs to the server's user. */
export const putFile = (root: string, name: string, content: string | Buffer): void => {
  const { uid, gid } = statSync(root)
  const give = (path: string): void => chownSync(path, uid, gid)
  let folder = root
  for (const part of name.split('/').slice(0, -1)) {
    folder = join(folder, part)
    mkdirSync(folder, { recursive: true })
    give(folder)
  }
  writeFileSync(join(root, name), content)
  give(join(root, name))
}

/** Chooses a file in the browser's dialog for uploads. */
export const upload = (
  page: Page,
  name: string,
  buffer: Buffer,
  mimeType = 'application/octet-stream',
): Promise<void> => page.locator('input[type=file]').last().setInputFiles({ name, mimeType, buffer })
