import { withoutClock } from '../../src/features/console/log/own-clock.ts'
import { expect, test, type Page } from '@playwright/test'

import { consoleFile, sameStretch, type RecordedConsole } from './console-record.ts'
import { programOf } from './demo-processes.ts'
import { register, rent, sendCommand, topUp } from './journey.ts'
import type { MinecraftPlayer } from './minecraft-player.ts'

const INSTALL_WITHIN_MS = 480_000
const ADOPT_WITHIN_MS = 90_000

// The journey of a rented Minecraft server, step by step, on any runtime.

export const logOf = (page: Page) => page.getByRole('log')
export const statusOf = (page: Page) => page.locator('.con-meta > [role=status]')

/** Registers, tops up 5,000 Ft and rents Minecraft for 990 Ft. Returns the server's id. */
export async function rentMinecraft(page: Page): Promise<string> {
  await register(page)
  await topUp(page, 5_000)
  return rent(page, { service: 'minecraft', name: 'Stone Age', price: /^To pay\D*990\sFt$/ })
}

export const watchInstallation = (page: Page, record: RecordedConsole): Promise<void> =>
  test.step('the installation is seen live', async () => {
    await expect(page.getByText('You can watch the output live.')).toBeVisible({ timeout: 60_000 })
    await expect(logOf(page)).toContainText('Installing flying-squid', { timeout: 60_000 })
    await expect.poll(() => record.installed, { timeout: INSTALL_WITHIN_MS }).toBe(true)
    // Live, also where this machine is too slow to see it in the middle.
    const live = record.lines.slice(0, record.linesUntilInstalled).map(({ text }) => text)
    expect(live.join('\n')).toContain('Installing flying-squid')
  })

/** It starts by itself after the installation. */
export const watchStart = (page: Page): Promise<void> =>
  test.step('it runs', async () => {
    await expect(statusOf(page)).toHaveText(/running/i, { timeout: 120_000 })
    await expect(logOf(page)).toContainText('Done (')
  })

/** Player and browser see each other's messages; `mark` makes the sentences of each call unique. */
export async function talk(page: Page, player: MinecraftPlayer, mark: string): Promise<void> {
  player.say(`From the game, ${mark}`)
  await expect(logOf(page)).toContainText(`From the game, ${mark}`, { timeout: ADOPT_WITHIN_MS })
  await sendCommand(page, `say From the browser, ${mark}`)
  await expect.poll(() => player.chat.join('\n')).toContain(`From the browser, ${mark}`)
  expect(player.ended()).toBeUndefined()
}

/** The server is up, whatever else is down: messages in the game are received there. */
export async function speakAlone(player: MinecraftPlayer, sentence: string): Promise<void> {
  player.say(sentence)
  await expect.poll(() => player.chat.join('\n')).toContain(sentence)
}

type Played = { readonly dataDir: string; readonly record: RecordedConsole; readonly player: MinecraftPlayer }

export const killAgent = (page: Page, { dataDir, record, player }: Played): Promise<void> =>
  test.step('the agent is killed, and the player stays', async () => {
    const killed = programOf(dataDir, 'agent')
    const { sessions } = record
    process.kill(killed, 'SIGKILL')
    await speakAlone(player, 'Is anybody there?')
    await expect.poll(() => record.sessions, { timeout: ADOPT_WITHIN_MS }).toBeGreaterThan(sessions)
    expect(programOf(dataDir, 'agent')).not.toBe(killed)
    await expect(logOf(page)).toContainText('Is anybody there?')
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await talk(page, player, 'after the agent')
  })

/** The page and the console's file have the same lines, and `once` is in it once. */
export const seeEveryLineOnce = (
  page: Page,
  { dataDir, record }: Played,
  { identifier, once }: { identifier: string; once: readonly string[] },
): Promise<void> =>
  test.step('no line is lost or repeated', async () => {
    const inFile = consoleFile(dataDir, identifier)
    await expect.poll(() => record.lines.at(-1)?.seq ?? 0).toBeGreaterThanOrEqual(inFile.at(-1)?.seq ?? 0)
    expect(record.dropped).toBe(0)
    await expect(page.locator('.l-gap')).toHaveCount(0)
    expect(sameStretch(record.lines, consoleFile(dataDir, identifier))).toEqual(record.lines)
    // The page shows a received line a little later.
    await expect(async () => {
      const shown = (await page.locator('.log .l > span').allTextContents()).map((text) =>
        text.replace(/^Note from the machine: /, ''),
      )
      const heard = record.lines.slice(-shown.length)
      expect(heard.map(({ text }) => withoutClock(text).trim())).toEqual(shown.map((text) => text.trim()))
    }).toPass({ timeout: 45_000 })
    for (const said of once) expect(record.lines.filter(({ text }) => text.includes(said))).toHaveLength(1)
  })

export const stopGracefully = (page: Page, player: MinecraftPlayer): Promise<void> =>
  test.step('stop ends it gracefully', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(logOf(page)).toContainText('Stopping the server')
    await expect(statusOf(page)).toHaveText(/offline|stopped/i, { timeout: 60_000 })
    await expect.poll(() => player.ended()).toBeDefined()
  })

/** The remainder of the 5,000 Ft. */
export async function seeRest(page: Page): Promise<void> {
  await page.goto('/dashboard/balance/summary')
  await expect(page.getByRole('main')).toContainText(/4[.,\s]010/)
}
