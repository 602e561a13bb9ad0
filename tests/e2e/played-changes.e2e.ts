import type { Page } from '@playwright/test'

import { ServerPorts } from '../../src/contracts/http/panel/ports.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { askGamedig } from '../support/gamedig-answer.ts'
import { joinMinecraft, type MinecraftPlayer } from '../support/minecraft-player.ts'
import { logOf, rentMinecraft, speakAlone, statusOf, talk } from '../support/played-server.ts'
import { expect, test } from './test.ts'

// A real client plays on a rented server while its owner changes it: what is saved reaches players with the restart.

const INSTALL_WITHIN_MS = 480_000
/** The game is asked once a minute. */
const COUNTED_WITHIN_MS = 180_000
const OLDER = '1.20.4'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const goTo = (page: Page, path: string) => page.getByRole('navigation').getByRole('link', { name: path, exact: true })
const isOut = (player: MinecraftPlayer) => expect.poll(() => player.ended(), { timeout: 30_000 }).toBeDefined()

/** Restarts by the button of the page that says that it is needed; the player is sent away, and the game opens again. */
const restart = async (page: Page, player: MinecraftPlayer): Promise<void> => {
  // Until then nobody notices anything.
  await speakAlone(player, `Still here? ${Math.random()}`)
  await page
    .getByRole('button', { name: /^Restart/ })
    .first()
    .click()
  await isOut(player)
  await goTo(page, 'Console').click()
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 90_000 })
}

const startup = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  await goTo(page, 'Startup').click()
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.su-saying')).toHaveText(/still running with earlier settings/)
  expect(await violations(page)).toEqual([])
}

/** The panel counts and names whom the game itself names. */
const agrees = async (page: Page, port: number): Promise<void> => {
  const { online, max, names } = await askGamedig(port)
  const sign = page.locator('.con-players')
  await expect(sign).toHaveText(`${online} / ${max} players`, { timeout: COUNTED_WITHIN_MS })
  await sign.click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(names.map((name) => new RegExp(name)))
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a player plays while variables, the port and the version change, and the panel counts as gamedig does', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const serverId = await rentMinecraft(page)
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: INSTALL_WITHIN_MS })
  const { port } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  const before = port ?? 0
  const [alex, panni] = [await joinMinecraft(before, 'Alex'), await joinMinecraft(before, 'Panni')]
  await talk(page, alex, 'in the beginning')
  expect(await askGamedig(before)).toMatchObject({ greeting: 'Bakter', online: 2, names: ['Alex', 'Panni'] })
  await test.step('the panel counts as gamedig does', () => agrees(page, before))
  panni.leave()

  await test.step('a variable is what players see after the restart, and not before', async () => {
    await startup(page, { 'Greeting in the server list': 'Under new management', 'Player limit': '7' })
    expect(await askGamedig(before)).toMatchObject({ greeting: 'Bakter', max: 20 })
    await restart(page, alex)
    expect(await askGamedig(before)).toMatchObject({ greeting: 'Under new management', max: 7, online: 0 })
  })

  const second = await joinMinecraft(before, 'Alex')
  await talk(page, second, 'after the variables')
  let after = before
  await test.step('another primary port opens with the restart, and the one before is closed', async () => {
    await goTo(page, 'Network').click()
    await page.getByRole('button', { name: 'Add port' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add port' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const { ports } = ServerPorts.parse(await (await page.request.get(`/api/server/${serverId}/ports`)).json())
    after = ports.find(({ isPrimary }) => !isPrimary)?.port ?? 0
    await page.getByRole('button', { name: `Make port ${after} the primary one` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make primary' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(joinMinecraft(after, 'TooEarly')).rejects.toThrow('ECONNREFUSED')
    await restart(page, second)
    await expect(joinMinecraft(before, 'TooLate')).rejects.toThrow('ECONNREFUSED')
  })

  const third = await joinMinecraft(after, 'Alex')
  await talk(page, third, 'at the other port')
  await test.step('the panel counts at the other port too', () => agrees(page, after))
  await test.step('another version of the game lets in its own players', async () => {
    await startup(page, { 'Game version': OLDER })
    await restart(page, third)
    await expect(joinMinecraft(after, 'Modern')).rejects.toThrow(`This server runs Minecraft ${OLDER}`)
  })
  const fourth = await joinMinecraft(after, 'Alex', { version: OLDER })
  await talk(page, fourth, 'in the older version')
  await expect(logOf(page)).toContainText('in the older version')
  fourth.leave()
})
