import { Server } from '../../src/contracts/http/server.ts'
import { consoleFile, recordConsole, sameStretch } from '../support/console-record.ts'
import { programOf } from '../support/demo-processes.ts'
import { register, rent, sendCommand, topUp } from '../support/journey.ts'
import { joinMinecraft } from '../support/minecraft-player.ts'
import { expect, test } from './test.ts'

const INSTALL_WITHIN_MS = 480_000
const ADOPT_WITHIN_MS = 90_000

test.describe('rent a server and play on it', () => {
  test.setTimeout(900_000)

  test('from registration to a player who survives the death of the agent', async ({
    page,
    dataDir,
    expectedErrors,
  }) => {
    // The console's socket is cut on purpose.
    expectedErrors.push(/WebSocket connection to 'ws:.*failed/, /net::ERR_CONNECTION_REFUSED/)
    await register(page)
    await topUp(page, 5_000)
    const record = recordConsole(page)
    const serverId = await rent(page, { service: 'minecraft', name: 'Stone Age', price: /^To pay\D*990$/ })
    const log = page.getByRole('log')
    const status = page.locator('.con-meta > [role=status]')

    await test.step('the installation is seen live', async () => {
      await expect(page.getByText('You see its output live.')).toBeVisible({ timeout: 60_000 })
      await expect(log).toContainText('Installing flying-squid', { timeout: 60_000 })
      expect(record.installed).toBeUndefined()
      await expect.poll(() => record.installed, { timeout: INSTALL_WITHIN_MS }).toBe(true)
    })
    await test.step('it runs', async () => {
      const start = page.getByRole('button', { name: 'Start', exact: true })
      const running = status.filter({ hasText: 'running' })
      await expect(start.or(running)).toBeVisible({ timeout: 60_000 })
      if (await start.isVisible()) await start.click()
      await expect(status).toHaveText(/running/i, { timeout: 120_000 })
      await expect(log).toContainText('Done (')
    })

    const server = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
    const player = await joinMinecraft(server.port ?? 0, 'Alex')
    await test.step('player and browser hear one another', async () => {
      player.say('Good evening from the game')
      await expect(log).toContainText('Good evening from the game')
      await sendCommand(page, 'say Good evening from the browser')
      await expect.poll(() => player.chat.join('\n')).toContain('Good evening from the browser')
      // The picture of the README: docs/images/console.png is a copy of it.
      await page.screenshot({ path: '.build/pictures/console.png' })
    })

    await test.step('the agent is killed, and the player stays', async () => {
      const killed = programOf(dataDir, 'agent')
      const sessions = record.sessions
      process.kill(killed, 'SIGKILL')
      player.say('Is anybody there?')
      await expect.poll(() => player.chat.join('\n')).toContain('Is anybody there?')
      await expect.poll(() => record.sessions, { timeout: ADOPT_WITHIN_MS }).toBeGreaterThan(sessions)
      expect(programOf(dataDir, 'agent')).not.toBe(killed)
      await expect(log).toContainText('Is anybody there?')
      await expect(page.getByText('Live link')).toBeVisible()
      await sendCommand(page, 'say Still here')
      await expect.poll(() => player.chat.join('\n')).toContain('Still here')
      expect(player.ended()).toBeUndefined()
    })

    await test.step('no line is lost or repeated', async () => {
      const inFile = consoleFile(dataDir, server.identifier)
      await expect.poll(() => record.lines.at(-1)?.seq ?? 0).toBeGreaterThanOrEqual(inFile.at(-1)?.seq ?? 0)
      expect(record.dropped).toBe(0)
      await expect(page.locator('.l-gap')).toHaveCount(0)
      expect(sameStretch(record.lines, consoleFile(dataDir, server.identifier))).toEqual(record.lines)
      // The page shows what came on the socket a moment later.
      await expect(async () => {
        const shown = await page.locator('.log .l > span').allTextContents()
        const heard = record.lines.slice(-shown.length)
        expect(heard.map(({ text }) => text.trim())).toEqual(shown.map((text) => text.trim()))
      }).toPass({ timeout: 15_000 })
    })

    await test.step('stop ends it gracefully', async () => {
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await expect(log).toContainText('Stopping the server')
      await expect(status).toHaveText(/offline|stopped/i, { timeout: 60_000 })
      await expect.poll(() => player.ended()).toBeDefined()
    })
    await page.goto('/dashboard/balance/summary')
    await expect(page.getByRole('main')).toContainText(/4[.,\s]010/)
  })
})
