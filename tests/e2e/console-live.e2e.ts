import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import { consoleFile, recordConsole } from '../support/console-record.ts'
import { programOf } from '../support/demo-processes.ts'
import { arrive, rent, sendCommand, topUp } from '../support/journey.ts'
import { offerSmallGame } from '../support/small-game.ts'
import { expect, test } from './test.ts'

// The console as a customer has it, from the order on: nothing stands in for the node, and the server is a real program.

const FLOOD = 24_000
/** Lines of four kilobytes: more than the node keeps. */
const WIDE = 12_000
const ADOPT_WITHIN_MS = 90_000
/** A page that draws 20,000 lines anew answers nobody meanwhile. */
const DRAWN_WITHIN_MS = 90_000

const statusOf = (page: Page) => page.locator('.con-meta > [role=status]')
const logOf = (page: Page) => page.getByRole('log')

/** The game notes its process at each start. */
const gameOf = (dataDir: string, identifier: string): number =>
  Number(
    readFileSync(join(dataDir, 'agent/servers', identifier, 'root/starts.txt'), 'utf8')
      .trim()
      .split('\n')
      .at(-1),
  )

/** Numbers of the lines in the document, in its order. */
const numbersOf = (page: Page): Promise<number[]> =>
  page.locator('.log .l').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-seq'))))

const isAscending = (numbers: readonly number[]) => numbers.every((seq, at) => at === 0 || seq > (numbers[at - 1] ?? 0))

/** The last line in the document: a long log is not looked through for it. */
const newest = (page: Page) =>
  page.evaluate(() => document.querySelector('.log-block:last-of-type > :last-child > span')?.textContent ?? '')

const lineOf = (page: Page, text: string) => logOf(page).getByText(text, { exact: true })

test('a customer lives with the console of a real server', async ({ page, context, demo, dataDir, expectedErrors }) => {
  test.setTimeout(600_000)
  // The sockets are cut on purpose.
  expectedErrors.push(/WebSocket connection to 'ws:.*failed/, /net::ERR_CONNECTION_REFUSED/)
  const { slug, withdraw } = await offerSmallGame(page.request, demo)
  await arrive(page)
  await topUp(page, 5_000)
  const record = recordConsole(page)
  const serverId = await rent(page, { service: slug, name: 'Signal box', price: /^To pay\D*500\sFt$/ })
  await withdraw()
  const log = logOf(page)
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())

  await test.step('it is installed, started, and answers', async () => {
    await expect(statusOf(page)).toHaveText(/Running/, { timeout: 120_000 })
    await expect(lineOf(page, 'Start number 1')).toBeVisible()
    await expect(log).toContainText('Done! The game is open')
    await sendCommand(page, 'say Jó estét')
    await expect(lineOf(page, '[Server] Jó estét')).toHaveCount(1)
  })

  await test.step('a reload shows the same lines, each once, and goes on after them', async () => {
    await sendCommand(page, 'count 900')
    await expect(lineOf(page, 'count 900')).toBeVisible()
    await page.reload()
    await expect(lineOf(page, 'count 900')).toBeVisible()
    await sendCommand(page, 'say after the reload')
    await expect(lineOf(page, '[Server] after the reload')).toHaveCount(1)
    const numbers = await numbersOf(page)
    expect(isAscending(numbers)).toBe(true)
    expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBe(numbers.length - 1)
    // The page begins with the last lines; the rest comes when the reader goes up for it.
    expect(numbers[0]).toBeGreaterThan(1)
    await log.evaluate((element) => element.scrollTo(0, 300))
    await log.hover()
    await page.mouse.wheel(0, -250)
    await expect(lineOf(page, 'Start number 1')).toHaveCount(1)
    await expect(page.getByText('The log begins here.')).toBeAttached()
    expect((await numbersOf(page))[0]).toBe(1)
    expect(isAscending(await numbersOf(page))).toBe(true)
    await page.getByRole('button', { name: 'Jump to end' }).click()
  })

  await test.step('two tabs see the same, whichever of them speaks', async () => {
    const other = await context.newPage()
    await other.goto(`/panel/${serverId}/console`)
    await expect(lineOf(other, '[Server] after the reload')).toBeVisible()
    await sendCommand(other, 'say from the other tab')
    await sendCommand(page, 'say from the first tab')
    for (const tab of [page, other]) {
      await expect(lineOf(tab, '[Server] from the other tab')).toHaveCount(1)
      await expect(lineOf(tab, '[Server] from the first tab')).toHaveCount(1)
    }
    await other.close()
    await sendCommand(page, 'say alone again')
    await expect(lineOf(page, '[Server] alone again')).toHaveCount(1)
  })

  await test.step('of a flood the page holds 20,000 lines, and going up leads past them to what is in the file', async () => {
    const before = record.lines.at(-1)?.seq ?? 0
    await sendCommand(page, `count ${FLOOD}`)
    // The node says at the end of a flood that it was slowed down: after that nothing comes by itself.
    await expect.poll(() => newest(page), { timeout: 90_000 }).toMatch(/: The output was slowed down/)
    expect(record.dropped).toBe(0)
    const flood = record.lines.filter(({ seq, text }) => seq > before && text.startsWith('count '))
    expect(flood.map(({ text }) => text)).toEqual(Array.from({ length: FLOOD }, (_, at) => `count ${at + 1}`))
    const held = await numbersOf(page)
    expect(held).toHaveLength(20_000)

    await log.evaluate((element) => element.scrollTo(0, 300))
    await log.hover()
    await page.mouse.wheel(0, -250)
    const older = (held[0] ?? 0) - 1_000
    await expect.poll(async () => (await numbersOf(page))[0], { timeout: DRAWN_WITHIN_MS }).toBe(older)
    const moved = await numbersOf(page)
    expect(moved).toHaveLength(20_000)
    expect(isAscending(moved)).toBe(true)
    // The reader is told of lines that come meanwhile, and the lines that they read stay.
    await expect(page.locator('.log-end')).toContainText(/1,\d{3} newer lines are not shown here\./)
    await sendCommand(page, 'say while somebody reads')
    await expect(page.getByRole('button', { name: '1 new line', exact: true })).toBeVisible()
    expect((await numbersOf(page))[0]).toBe(older)
    await page.getByRole('button', { name: '1 new line', exact: true }).click()
    await expect(lineOf(page, '[Server] while somebody reads')).toBeVisible()
    await sendCommand(page, 'say at the end again')
    await expect(lineOf(page, '[Server] at the end again')).toBeVisible()
    const numbers = await numbersOf(page)
    expect(numbers.length).toBeLessThan(20_000)
    expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBe(numbers.length - 1)
  })

  await test.step('kill -9 of the agent: the server prints on, and the page gets every line once', async () => {
    await sendCommand(page, 'rate 100')
    await expect.poll(() => record.lines.at(-1)?.text).toMatch(/^rate /)
    const killed = programOf(dataDir, 'agent')
    const { sessions, lines } = record
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => record.sessions, { timeout: ADOPT_WITHIN_MS }).toBeGreaterThan(sessions)
    expect(programOf(dataDir, 'agent')).not.toBe(killed)
    const known = lines.length
    await expect.poll(() => lines.length).toBeGreaterThan(known + 100)
    const rates = lines.filter(({ text }) => text.startsWith('rate ')).map(({ text }) => Number(text.slice(5)))
    expect(rates).toEqual(rates.map((_, at) => at + 1))
    expect(record.dropped).toBe(0)
    await expect(page.locator('.l-gap')).toHaveCount(0)
  })

  await test.step('a restart is a new start under the same log', async () => {
    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await expect(lineOf(page, 'Start number 2')).toBeVisible({ timeout: 120_000 })
    await expect(statusOf(page)).toHaveText(/Running/, { timeout: 120_000 })
    await expect(lineOf(page, 'World saved')).toHaveCount(1)
  })

  await test.step('lines that were printed while the agent stood still, and are kept no longer, are counted exactly', async () => {
    const agent = programOf(dataDir, 'agent')
    const game = gameOf(dataDir, identifier)
    // The game holds its breath until the agent stands still, however late this machine notices what it prints.
    process.kill(game, 'SIGSTOP')
    const { taken } = record
    await sendCommand(page, `wide ${WIDE}`)
    await expect.poll(() => record.taken).toBe(taken + 1)
    process.kill(agent, 'SIGSTOP')
    process.kill(game, 'SIGCONT')
    // The server's own keeper writes on without the agent.
    const isPrinted = () => consoleFile(dataDir, identifier).some(({ text }) => text.startsWith(`wide ${WIDE} `))
    await expect.poll(isPrinted, { timeout: ADOPT_WITHIN_MS, intervals: [500] }).toBe(true)
    process.kill(agent, 'SIGCONT')
    const isAtEnd = async () => (await numbersOf(page)).at(-1) === consoleFile(dataDir, identifier).at(-1)?.seq
    await expect.poll(isAtEnd, { timeout: ADOPT_WITHIN_MS, intervals: [1_000] }).toBe(true)
    expect(record.dropped).toBeGreaterThan(0)
    const numbers = record.lines.map(({ seq }) => seq)
    // The page was loaded once more on the way: numbers that came before that may have come twice.
    expect(new Set(numbers).size + record.dropped).toBe(Math.max(...numbers) - Math.min(...numbers) + 1)
    const gaps = await page.locator('.l-gap').allTextContents()
    expect(gaps.map((text) => Number(text.replaceAll(/\D/g, ''))).reduce((sum, count) => sum + count, 0)).toBe(
      record.dropped,
    )
    expect(isAscending(await numbersOf(page))).toBe(true)
  })

  await test.step('after the stop the history is there, for a new page too', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(statusOf(page)).toHaveText(/Stopped/, { timeout: 120_000 })
    await expect(lineOf(page, 'World saved')).toHaveCount(2)
    await page.reload()
    await expect(lineOf(page, 'World saved')).toHaveCount(1)
    await expect(statusOf(page)).toHaveText(/Stopped/)
    const inFile = consoleFile(dataDir, identifier)
    await expect.poll(async () => (await numbersOf(page)).at(-1)).toBe(inFile.at(-1)?.seq)
    // A note of the machine is marked as its word, which the file says by the stream.
    const shown = (await page.locator('.log .l > span').allTextContents()).map((text) =>
      text.replace(/^Note from the machine: /, ''),
    )
    expect(shown.map((text) => text.trim())).toEqual(inFile.slice(-shown.length).map(({ text }) => text.trim()))
  })
})
