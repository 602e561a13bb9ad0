import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Browser, Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { code, putFile, rootOf } from '../support/files-page.ts'
import { arrive, rentByApi } from '../support/journey.ts'
import { otherPage } from '../support/other-page.ts'
import { expect, test } from './test.ts'

// An owner and a collaborator, each with an account and a browser of their own, in one file at the same time.

const FILE = 'shared.properties'
const TEXT = ['# of both', 'motd=Watch', 'pvp=true', 'difficulty=easy', 'level-name=world', ''].join('\n')
const PHONE = { width: 390, height: 844 }

const call = async (page: Page, path: string, data: object): Promise<void> => {
  const { origin } = new URL(page.url())
  const answer = await page.request.post(path, { headers: { origin, 'idempotency-key': randomUUID() }, data })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Somebody with whom the owner shares the files of the server, in a browser of their own. */
const collaborator = async (browser: Browser, owner: Page, serverId: string): Promise<Page> => {
  const page = await otherPage(browser, new URL(owner.url()).origin)
  const { username } = await arrive(page)
  const permissions = ['console.read', 'file.list', 'file.read', 'file.update']
  await call(owner, `/api/server/${serverId}/users`, { email: `${username}@example.com`, permissions })
  await call(page, `/api/user/invitations/${serverId}/accept`, {})
  return page
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const saved = (page: Page) => page.getByText(/^Saved at/)
const clash = (page: Page) => page.getByRole('alert').filter({ hasText: 'Nothing is lost' })

/** Puts the cursor behind the text of a line. */
const toEndOf = async (page: Page, line: string): Promise<void> => {
  await page.locator('.cm-line').filter({ hasText: line }).first().click()
  await page.keyboard.press('End')
}

test('an owner and a collaborator change one file at once: each sees what the other saved, decides it line by line, and nothing is lost', async ({
  page,
  browser,
  dataDir,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 120_000 })
  const friend = await collaborator(browser, page, serverId)
  const root = await rootOf(page, { dataDir, serverId })
  putFile(root, FILE, TEXT)
  const onDisk = () => readFileSync(join(root, FILE), 'utf8')
  for (const each of [page, friend]) {
    await each.goto(`/en/panel/${serverId}/edit/${FILE}`)
    await expect(code(each)).toContainText('motd=Watch')
  }

  await test.step('the owner saves first', async () => {
    await toEndOf(page, 'motd=Watch')
    await page.keyboard.type(' of the owner')
    await toEndOf(page, 'level-name=world')
    await page.keyboard.type('\nowner-key=1')
    await save(page).click()
    await expect(saved(page)).toBeVisible()
  })

  await test.step('the collaborator saves over the same line and another one: nothing is written', async () => {
    await toEndOf(friend, 'motd=Watch')
    await friend.keyboard.type(' of the friend')
    await toEndOf(friend, 'pvp=true')
    await friend.keyboard.type('\nfriend-key=1')
    await friend.keyboard.press('Control+s')
    await expect(clash(friend)).toBeVisible()
    expect(onDisk()).toContain('motd=Watch of the owner\n')
    expect(onDisk()).not.toContain('friend')
    await expect(code(friend)).toContainText('motd=Watch of the friend')
    expect(await violations(friend)).toEqual([])
  })

  await test.step('the merge view shows both, at both widths, and is decided by keyboard alone', async () => {
    await friend.getByRole('button', { name: 'Compare' }).focus()
    await friend.keyboard.press('Enter')
    await expect(friend.locator('.cm-deletedChunk').first()).toContainText('motd=Watch of the owner')
    const size = friend.viewportSize() ?? { width: 1280, height: 720 }
    expect(await violations(friend)).toEqual([])
    await friend.setViewportSize(PHONE)
    expect(await violations(friend)).toEqual([])
    expect(await friend.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
    await friend.setViewportSize(size)
    // Both lines of the same place stay.
    await friend.locator('.cm-deletedChunk').first().getByRole('button', { name: 'Keep both' }).focus()
    await friend.keyboard.press('Enter')
    await expect(code(friend)).toContainText('motd=Watch of the owner')
    // Keys that only one of them has: the own key is kept, that of the other is taken.
    const chunks = friend.locator('.cm-deletedChunk')
    for (const [key, word] of [
      ['friend-key', 'Keep mine'],
      ['owner-key', 'Take theirs'],
    ] as const) {
      const before = await chunks.count()
      const chunk =
        key === 'owner-key' ? chunks.filter({ hasText: key }) : chunks.filter({ hasNotText: 'owner-key' }).first()
      await chunk.getByRole('button', { name: word }).focus()
      await friend.keyboard.press('Enter')
      await expect(chunks).toHaveCount(before - 1)
    }
    await friend.keyboard.press('Control+s')
    await expect(saved(friend)).toBeVisible()
    const lines = onDisk().split('\n')
    for (const line of ['motd=Watch of the owner', 'motd=Watch of the friend', 'owner-key=1', 'friend-key=1'])
      expect(lines).toContain(line)
    for (const line of TEXT.split('\n').filter((each) => !each.startsWith('motd'))) expect(lines).toContain(line)
  })

  await test.step('the owner, who has typed on, takes the version of the friend, and has their own again from the history', async () => {
    const theirs = onDisk()
    await toEndOf(page, 'difficulty=easy')
    await page.keyboard.type(' typed on')
    await save(page).click()
    await expect(clash(page)).toBeVisible()
    await page.getByRole('button', { name: 'Discard mine' }).click()
    await expect(code(page)).toContainText('friend-key=1')
    expect(onDisk()).toBe(theirs)
    await page.getByRole('button', { name: 'Earlier versions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).first().click()
    await expect(page.getByRole('status').filter({ hasText: 'The highlighted lines' })).toBeVisible()
    expect(onDisk()).toBe(theirs)
  })
  await friend.context().close()
})
