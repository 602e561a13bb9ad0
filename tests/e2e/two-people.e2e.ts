import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Browser, Page } from '@playwright/test'

import { ServerActivityPage } from '../../src/contracts/http/panel/server-activity.ts'
import { ConsoleAccess, NodeAccess, Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { catalogWords, type CatalogLanguage, type CatalogWords } from '../support/catalog-words.ts'
import type { DemoFile } from '../support/demo.ts'
import { mailedPage } from '../support/demo-mail.ts'
import { arrive, rentByApi } from '../support/journey.ts'
import { PanelClient } from '../support/panel-client.ts'
import { expect, test } from './test.ts'

// A day of one server with its owner and a moderator, each in a browser of their own and in their own language.

/** A message tells every page the rights of a share: no page asks for them again by itself. */
const WITHIN_MS = 30_000
const FILE = 'package.json'
const TYPED = 'typed before the right was gone'

interface Person {
  readonly page: Page
  readonly username: string
  readonly language: CatalogLanguage
  readonly say: CatalogWords
  readonly goTo: (path: string) => Promise<unknown>
}
interface Day {
  readonly owner: Person
  readonly moderator: Person
  readonly server: Server
  readonly demo: DemoFile
  /** The file of the journey, on the node's disk. */
  readonly onDisk: () => string
}

const dialog = (page: Page) => page.locator('dialog[open]')
const row = ({ owner, moderator }: Day) =>
  owner.page.locator('.people').getByRole('listitem').filter({ hasText: moderator.username })
const code = (page: Page) => page.locator('.cm-content')
const entry = (page: Page, words: string, who: string) =>
  page.locator('.act-row').filter({ hasText: words }).filter({ hasText: who })
const status = (page: Page) => page.locator('.con-meta > [role=status]')

const personIn = async (
  browser: Browser,
  { url, language }: { url: string; language: CatalogLanguage },
): Promise<Omit<Person, 'username'>> => {
  const context = await browser.newContext({ baseURL: url, locale: language })
  const page = await context.newPage()
  await page.goto(`/${language}`)
  return { page, language, say: catalogWords(language), goTo: (path) => page.goto(`/${language}${path}`) }
}

const invites = async ({ owner, moderator, server }: Day): Promise<void> => {
  const { page, say } = owner
  await owner.goTo(`/panel/${server.id}/users`)
  await page.getByRole('button', { name: say('collaborators.invite'), exact: true }).click()
  await dialog(page).getByLabel(say('collaborators.dialog.email')).fill(`${moderator.username}@example.com`)
  await dialog(page)
    .getByRole('radio', { name: new RegExp(`^${say('collaborators.presets.moderator.title')}`) })
    .check()
  await dialog(page)
    .getByRole('button', { name: say('collaborators.dialog.send') })
    .click()
  await expect(dialog(page)).toHaveCount(0)
}

const accepts = async (day: Day): Promise<void> => {
  const { owner, moderator, server } = day
  const { page, say } = moderator
  const read = async (path: string) => (await page.request.get(path)).text()
  const mail = await mailedPage(read, `${moderator.username}@example.com`, new RegExp(owner.username))
  expect(mail).toContain(server.name)
  await page.locator('.bell > button').click()
  const told = { person: owner.username, name: server.name }
  await expect(page.locator('#bell-list')).toContainText(say('notifications.server.invited', told))
  await moderator.goTo('/dashboard/servers')
  const invitation = page.getByRole('region', { name: say('collaborators.invitations.title') })
  expect(await violations(page)).toEqual([])
  await invitation
    .getByRole('button', { name: say('collaborators.invitations.acceptOf', { name: server.name }) })
    .click()
  await expect(invitation).toHaveCount(0)
  // The owner's page is open, and learns it without a reload.
  await expect(row(day)).not.toContainText(owner.say('collaborators.pending'), { timeout: WITHIN_MS })
}

/** Ticks or unticks what the moderator may do, in the owner's page. */
const changes = async (day: Day, keys: readonly string[], isGiven: boolean): Promise<void> => {
  const { page, say } = day.owner
  await row(day)
    .getByRole('button', { name: say('collaborators.editOf', { name: day.moderator.username }) })
    .click()
  const choose = dialog(page).getByRole('button', {
    name: new RegExp(`^${say('collaborators.dialog.choose').split(' (')[0]}`),
  })
  const first = dialog(page).getByRole('checkbox', { name: say(`collaborators.keys.${keys[0]}`) })
  // A set of one's own is open already.
  await expect(choose.or(first).first()).toBeVisible()
  if (!(await first.isVisible())) await choose.click()
  for (const key of keys) {
    const box = dialog(page).getByRole('checkbox', { name: say(`collaborators.keys.${key}`) })
    await box.setChecked(isGiven)
  }
  await dialog(page)
    .getByRole('button', { name: say('collaborators.dialog.save'), exact: true })
    .click()
  await expect(dialog(page)).toHaveCount(0)
}

const tokenOf = async ({ page }: Person, { id }: Server, demo: DemoFile): Promise<string> => {
  const answer = await page.request.post(`/api/server/${id}/token`, {
    headers: { origin: demo.url },
    data: { purpose: 'files' },
  })
  return NodeAccess.parse(await answer.json()).token
}
const consoleTokenOf = async ({ page }: Person, { id }: Server): Promise<string> =>
  ConsoleAccess.parse(await (await page.request.get(`/api/server/${id}/ws`)).json()).token

/** The moderator's own way to the node, beside the page. */
const socketOf = (day: Day): PanelClient =>
  new PanelClient(Number(new URL(day.demo.agentUrl).port), {
    host: new URL(day.demo.agentUrl).hostname,
    origin: day.demo.url,
    serverId: day.server.id,
  })
const writes = async ({ demo, server, moderator }: Day, token: string) => {
  const answer = await moderator.page.request.put(`${demo.agentUrl}/servers/${server.id}/files/content?path=${FILE}`, {
    // Over a version that is there, which is what the editor does.
    headers: { origin: demo.url, authorization: `Bearer ${token}`, 'if-match': '"any"' },
    data: 'written past the page',
  })
  return { status: answer.status(), body: (await answer.json()) as unknown }
}

const opensAndSaves = async ({ moderator, onDisk }: Day): Promise<void> => {
  const { page, say } = moderator
  await page.getByRole('row').filter({ hasText: FILE }).dblclick()
  await code(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n')
  const before = onDisk()
  await page.getByRole('button', { name: say('files.editor.save'), exact: true }).click()
  await expect.poll(onDisk).toBe(`${before}\n`)
  expect(await violations(page)).toEqual([])
  await code(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(TYPED)
  await expect(code(page)).toContainText(TYPED)
}

/** The owner takes away what the moderator is just using. */
const losesRights = async (day: Day): Promise<void> => {
  const { moderator, server, demo, onDisk } = day
  const { page, say } = moderator
  const [fileToken, consoleToken] = [await tokenOf(moderator, server, demo), await consoleTokenOf(moderator, server)]
  const open = socketOf(day)
  await open.authenticate(consoleToken)
  const before = onDisk()
  await changes(day, ['file.update', 'console.command'], false)
  const missing = page.getByRole('alert').filter({ hasText: say('files.trouble.permissions.update') })
  await page.keyboard.press('Control+s')
  await expect(missing).toBeVisible({ timeout: WITHIN_MS })
  await expect(page.getByText(say('files.editor.readOnly'), { exact: true })).toBeVisible({ timeout: WITHIN_MS })
  await expect(missing).toBeVisible()
  await expect(code(page)).toContainText(TYPED)
  expect(await violations(page)).toEqual([])

  expect(await open.closed()).toBe(1013)
  const again = socketOf(day)
  await again.opened()
  again.send('auth', [consoleToken])
  expect(await again.closed()).toBe(4401)
  const present = socketOf(day)
  await present.authenticate(await consoleTokenOf(moderator, server))
  present.send('send command', ['stop'])
  await expect
    .poll(() => present.messages.flatMap((said) => (said.event === 'daemon error' ? [said.args[0]] : [])))
    .toEqual(['FORBIDDEN console.command'])
  present.close()
  expect((await writes(day, fileToken)).status).toBe(401)
  expect(await writes(day, await tokenOf(moderator, server, demo))).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', permission: 'file.update' } },
  })
  expect(onDisk()).toBe(before)
}

/** Given back, the text goes on where it was; then the whole subject is taken away, and the draft outlives it. */
const getsThemBack = async (day: Day): Promise<void> => {
  const { page, say } = day.moderator
  await changes(day, ['file.update'], true)
  await expect(page.getByRole('button', { name: say('files.editor.save'), exact: true })).toBeVisible({
    timeout: WITHIN_MS,
  })
  await expect(page.getByText(say('files.trouble.permissions.update'))).toHaveCount(0)
  await code(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(', and after')
  await changes(day, ['file.update', 'file.read', 'file.list'], false)
  await expect(page.getByText(say('files.trouble.permissions.list'))).toBeVisible({ timeout: WITHIN_MS })
  expect(await violations(page)).toEqual([])
  await changes(day, ['file.update'], true)
  await expect(page.getByRole('button', { name: say('files.editor.takeDraft') })).toBeVisible({ timeout: WITHIN_MS })
  await page.getByRole('button', { name: say('files.editor.takeDraft') }).click()
  await expect(code(page)).toContainText(`${TYPED}, and after`)
}

const seesWhoDidIt = async ({ owner, moderator, server }: Day): Promise<void> => {
  const { page, say } = owner
  const listed = await page.request.get(`/api/server/${server.id}/activities?limit=100`)
  const { items } = ServerActivityPage.parse(await listed.json())
  const changed = items.filter(({ type }) => type === 'server:subuser.update')
  expect(changed).toHaveLength(5)
  for (const { actor, way, detail } of changed) {
    expect([actor, way, detail]).toEqual([
      expect.objectContaining({ name: owner.username }),
      'panel',
      moderator.username,
    ])
  }
  await owner.goTo(`/panel/${server.id}/activities`)
  const deeds = [
    ['collaboratorInvited', owner],
    ['collaboratorJoined', moderator],
    ['restart', moderator],
    ['fileWritten', moderator],
    ['collaboratorChanged', owner],
  ] as const
  for (const [type, who] of deeds) {
    const shown = entry(page, say(`activities.types.${type}`), who.username).first()
    await expect(shown).toContainText(say('activities.ways.panel'))
    await expect(shown.locator('time').first()).toHaveAttribute('datetime', /^\d{4}-/)
  }
  expect(await violations(page)).toEqual([])
}

const isRemoved = async (day: Day): Promise<void> => {
  const { owner, moderator, server } = day
  const { page, say } = moderator
  const beside = await page.context().newPage()
  await beside.goto(`/${moderator.language}/panel/${server.id}/console`)
  await expect(beside.getByRole('log')).toBeVisible()
  await owner.goTo(`/panel/${server.id}/users`)
  await row(day)
    .getByRole('button', { name: owner.say('collaborators.removeOf', { name: moderator.username }) })
    .click()
  await dialog(owner.page)
    .getByRole('button', { name: owner.say('collaborators.remove'), exact: true })
    .click()
  await expect(row(day)).toHaveCount(0)
  await expect(beside.getByRole('heading', { level: 1 })).toHaveText(say('console.trouble.invalid.title'), {
    timeout: WITHIN_MS,
  })
  await expect(page.getByText(say('files.gone'))).toBeVisible({ timeout: WITHIN_MS })
  expect(await violations(page)).toEqual([])
  await beside.close()
  page.once('dialog', (leaving) => void leaving.accept())
  await page
    .getByRole('main')
    .getByRole('link', { name: say('panel.back') })
    .click()
  await page.waitForURL(/\/dashboard\/servers/)
  await expect(page.getByRole('link', { name: server.name })).toHaveCount(0)
  await page.locator('.bell > button').click()
  await expect(page.locator('#bell-list')).toContainText(
    say('notifications.server.access-ended', { name: server.name }),
  )
  expect((await page.request.get(`/api/server/${server.id}`)).status()).toBe(404)
}

for (const [ownersLanguage, moderatorsLanguage] of [
  ['en', 'en'],
  ['hu', 'de'],
] as const) {
  test(`a day of an owner (${ownersLanguage}) and a moderator (${moderatorsLanguage}): invited, restarts, gets files, loses them with one open, is removed`, async ({
    browser,
    demo,
    dataDir,
  }) => {
    test.setTimeout(300_000)
    const owner = await personIn(browser, { url: demo.url, language: ownersLanguage })
    const moderator = await personIn(browser, { url: demo.url, language: moderatorsLanguage })
    const { serverId, username } = await rentByApi(owner.page)
    const server = Server.parse(await (await owner.page.request.get(`/api/server/${serverId}`)).json())
    const day: Day = {
      owner: { ...owner, username },
      moderator: { ...moderator, username: (await arrive(moderator.page)).username },
      server,
      demo,
      onDisk: () => readFileSync(join(dataDir, 'agent/servers', server.identifier, 'root', FILE), 'utf8'),
    }
    const { page, say } = moderator
    await moderator.goTo('/dashboard/servers')
    await test.step('the owner invites', () => invites(day))
    await test.step('mail and bell say so, and the moderator accepts', () => accepts(day))

    await test.step('the moderator restarts the server', async () => {
      await moderator.goTo(`/panel/${server.id}/console`)
      await expect(status(page)).toHaveText(new RegExp(say('status.running')), { timeout: 90_000 })
      // The states in between may be over before anybody looks; the program's second greeting stays.
      const ready = page.getByRole('log').getByText('The bot is ready')
      await expect(ready).toHaveCount(1, { timeout: 60_000 })
      await page.getByRole('button', { name: say('servers.actions.restart'), exact: true }).click()
      await expect(ready).toHaveCount(2, { timeout: 90_000 })
      await expect(status(page)).toHaveText(new RegExp(say('status.running')), { timeout: 60_000 })
      expect(await violations(page)).toEqual([])
    })

    await test.step('files are refused by name, and open when they are given', async () => {
      await moderator.goTo(`/panel/${server.id}/files`)
      await expect(page.getByText(say('files.trouble.permissions.list'))).toBeVisible()
      expect(await violations(page)).toEqual([])
      await changes(day, ['file.update'], true)
      await expect(page.getByRole('row').filter({ hasText: FILE })).toBeVisible({ timeout: WITHIN_MS })
    })
    await test.step('a file is opened and saved', () => opensAndSaves(day))
    await test.step('the right is taken away: the text stays, and every way is closed', () => losesRights(day))
    await test.step('work goes on with permissions that are given back, and a draft outlives the loss', () =>
      getsThemBack(day))
    await test.step('the owner sees who did what, and by which way', () => seesWhoDidIt(day))
    await test.step('the moderator is removed, and their pages say so', () => isRemoved(day))
    for (const each of [owner, moderator]) await each.page.context().close()
  })
}
