import { Server } from '../../src/contracts/http/server.ts'
import { recordConsole } from '../support/console-record.ts'
import { joinMinecraft } from '../support/minecraft-player.ts'
import {
  killAgent,
  rentMinecraft,
  seeEveryLineOnce,
  seeRest,
  stopGracefully,
  talk,
  watchInstallation,
  watchStart,
} from '../support/played-server.ts'
import { expect, test } from './test.ts'

test.describe('rent a server and play on it', () => {
  test.setTimeout(900_000)

  test('from registration to a player who survives the death of the agent', async ({
    page,
    dataDir,
    expectedErrors,
  }) => {
    // The console's socket is cut on purpose.
    expectedErrors.push(/WebSocket connection to 'ws:.*failed/, /net::ERR_CONNECTION_REFUSED/)
    const record = recordConsole(page)
    const serverId = await rentMinecraft(page)
    await watchInstallation(page, record)
    await watchStart(page)

    const { identifier, port } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
    await test.step('a client of another version is told which one to join with', async () => {
      const refused = joinMinecraft(port ?? 0, 'Old', { version: '1.16.1' })
      await expect(refused).rejects.toThrow('This server runs Minecraft 1.21.4. Join it with that version.')
    })
    const player = await joinMinecraft(port ?? 0, 'Alex')
    await test.step('player and browser hear one another', async () => {
      await talk(page, player, 'good evening')
      await expect(page.getByRole('log')).toContainText('From the browser, good evening')
      // The picture of the README: docs/images/console.png is a copy of it.
      await page.setViewportSize({ width: 1440, height: 810 })
      await page.screenshot({ path: '.build/pictures/console.png' })
    })

    const played = { dataDir, record, player }
    await killAgent(page, played)
    await seeEveryLineOnce(page, played, { identifier, once: ['Is anybody there?'] })
    await stopGracefully(page, player)
    await seeRest(page)
  })
})
