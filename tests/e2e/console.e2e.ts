import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { COMMAND, keepSession, many, openServer, restingTop, scrollOf } from '../support/console-page.ts'
import { standInForConsole } from '../support/console-stand-in.ts'
import { expect, test } from './test.ts'

const MOST_STOPS = 60

test.afterEach(({ page }) => keepSession(page))

/** Presses Tab until this is focused, and sees that the focus shows. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'searchbox' | 'log', name: RegExp): Promise<void> {
  const target = page.getByRole(role, { name }).filter({ visible: true }).first()
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await target.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach the ${role} ${String(name)}.`)
}

test('command, history, search, stop and start by keyboard alone, on a real server', async ({ page }) => {
  const serverId = await openServer(page)
  await page.goto(`/panel/${serverId}/console`)
  const status = page.locator('.con-meta > [role=status]')
  // It starts by itself once it is installed.
  await expect(status).toHaveText(/Running/, { timeout: 120_000 })
  const log = page.getByRole('log')
  const input = page.getByLabel(COMMAND)
  // Before its log is there, a command goes nowhere yet.
  await expect(log).toContainText('The bot is ready')
  await tabTo(page, 'textbox', /Send a command/)
  for (const command of ['ping', 'ERROR in the mill']) {
    await page.keyboard.type(command)
    await page.keyboard.press('Enter')
    await expect(input).toHaveValue('')
  }
  await expect(log).toContainText('pong')
  await expect(log.locator('.l-error')).toContainText('You said: ERROR in the mill')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(input).toHaveValue('ping')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(input).toHaveValue('')

  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(page, 'log', /Server log/)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search the log' })).toBeFocused()
  await page.keyboard.type('pong')
  await page.keyboard.press('Enter')
  await expect(page.locator('.l-current mark')).toHaveText('pong')
  await page.keyboard.press('Escape')
  await expect(log).toBeFocused()
  await expect(page.locator('mark')).toHaveCount(0)

  await page.keyboard.press('Shift+Tab')
  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(page, 'button', /^Stop$/)
  await page.keyboard.press('Enter')
  await expect(status).toHaveText(/Stopped/, { timeout: 60_000 })
  await expect(input).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('You can send commands once it starts')).toBeVisible()
  await tabTo(page, 'button', /^Start$/)
  await page.keyboard.press('Enter')
  await expect(status).toHaveText(/Running/, { timeout: 60_000 })
})

test('the log follows its end, pauses above, counts what is new, and marks what was dropped', async ({ page }) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, many(1_500))
  await page.goto(`/panel/${serverId}/console`)
  const log = page.getByRole('log')
  await expect(log).toContainText('line 1500 of an evening')
  await expect.poll(async () => (await scrollOf(page)).left).toBeLessThan(30)
  node.print('WARN one', 'ERROR two', '<Panni> three')
  await expect(log).toContainText('<Panni> three')
  await expect.poll(async () => (await scrollOf(page)).left).toBeLessThan(30)

  await test.step('a pause counts new lines, and the button goes to the end', async () => {
    await log.hover()
    await page.mouse.wheel(0, -900)
    await expect(page.getByRole('button', { name: 'Jump to end' })).toBeVisible()
    const before = await restingTop(page)
    node.print(...many(37))
    const fresh = page.getByRole('button', { name: '37 new lines' })
    await expect(fresh).toBeVisible()
    expect(Math.abs((await scrollOf(page)).top - before)).toBeLessThan(5)
    await fresh.click()
    await expect(fresh).toHaveCount(0)
    await expect.poll(async () => (await scrollOf(page)).left).toBeLessThan(30)
  })

  await test.step('a gap has the exact count, and no line comes twice after a cut', async () => {
    node.drop(1_204)
    node.print('after the gap')
    await expect(page.getByText('1,204 lines skipped')).toBeVisible()
    const letIn = node.shut()
    await node.cut(1012)
    await expect(page.getByText(/Connection lost, reconnecting/)).toBeVisible()
    letIn()
    await expect.poll(() => node.resumedAfter.length).toBe(2)
    node.print('back again')
    await expect(log).toContainText('back again')
    await expect(log.getByText('after the gap', { exact: true })).toHaveCount(1)
    expect(node.resumedAfter[1]).toBeGreaterThan(2_700)
  })

  await test.step('older lines come when the top is reached, and the place holds', async () => {
    await log.evaluate((element) => element.scrollTo(0, 300))
    await log.hover()
    await page.mouse.wheel(0, -250)
    await expect(log).toContainText('line 10 of an evening')
    await expect(page.getByText('The log begins here.')).toBeAttached()
    await expect.poll(async () => (await scrollOf(page)).top).toBeGreaterThan(2_000)
  })
})

test('chips count and filter; the search marks, counts and steps; the browser’s own find still sees every line', async ({
  page,
}) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, [
    ...many(400),
    'WARN first',
    'ERROR <img src=x> http://a.test',
    'WARN last',
  ])
  await page.goto(`/panel/${serverId}/console`)
  const log = page.getByRole('log')
  await expect(log).toContainText('WARN last')
  await expect(page.getByRole('button', { name: 'Warnings 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Errors 1' }).click()
  await expect(log.locator('.l')).toHaveCount(1)
  expect(await log.locator('img, a').count()).toBe(0)
  await page.getByRole('button', { name: 'All', exact: true }).click()

  const search = page.getByRole('searchbox', { name: 'Search the log' })
  await search.fill('of an evening')
  await expect(page.getByText('400 lines')).toBeVisible()
  await search.press('Enter')
  await expect(page.getByText('400 / 400')).toBeVisible()
  await search.press('Enter')
  await expect(page.getByText('399 / 400')).toBeVisible()
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await search.fill('line (1|2) ')
  await expect(page.getByText('2 lines')).toBeVisible()
  await search.press('Enter')
  await expect(page.locator('.l-current')).toBeInViewport()
  await search.fill('(')
  await expect(page.getByText('Invalid expression')).toBeVisible()
  await search.press('Escape')

  // Lines that find in page can reach are in the document, far from the view too.
  const found = await page.evaluate(() => {
    const browser = window as unknown as { find: (text: string) => boolean }
    return browser.find('line 7 of an evening')
  })
  expect(found).toBe(true)
  node.print('\u202Egpj.exe \u001B[31mred\u001B[0m \u001B]8;;https://a.test\u0007link\u001B]8;;\u0007')
  await expect(log).toContainText('[U+202E]gpj.exe red link')
})

test('Enter goes by what was typed, although the hits follow when there is time', async ({ page }) => {
  const serverId = await openServer(page)
  await standInForConsole(page, ['pebble', 'pong', 'pebble', 'pepper'])
  await page.goto(`/panel/${serverId}/console`)
  const search = page.getByRole('searchbox', { name: 'Search the log' })
  await expect(page.getByRole('log')).toContainText('pepper')
  await search.fill('pe')
  await expect(page.getByText('3 lines')).toBeVisible()
  // Letters and Enter in one breath: nothing of the page runs in between that could look for hits.
  await search.evaluate((element, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, text)
    element.dispatchEvent(new Event('input', { bubbles: true }))
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, 'pong')
  await expect(page.locator('.l-current mark')).toHaveText('pong')
  await expect(page.getByText('1 / 1')).toBeVisible()
})

test('lines are copied where there is no clipboard or it is refused; where nothing works that is said', async ({
  page,
}) => {
  const serverId = await openServer(page)
  // Without https a page has no clipboard.
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'))
  await standInForConsole(page, ['WARN one', 'two', 'WARN three'])
  await page.goto(`/panel/${serverId}/console`)
  await expect(page.getByRole('log')).toContainText('WARN three')
  expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false)
  const copy = page.getByRole('button', { name: 'Copy the selected lines, or all that are shown' })
  const pasted = async () => {
    await page.getByLabel(COMMAND).fill('')
    await page.getByLabel(COMMAND).press('ControlOrMeta+v')
    const dialog = page.getByRole('dialog')
    const text = await dialog.locator('pre').innerText()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    return text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/g, '')
  }

  await page.getByRole('button', { name: 'Warnings 2' }).click()
  await copy.click()
  await expect(page.getByText('2 lines copied.')).toBeVisible()
  expect(await pasted()).toBe('WARN one\nWARN three')
  await expect(copy).toBeVisible()

  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.evaluate(() => {
    const writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  })
  await copy.click()
  await expect(page.getByText('3 lines copied.')).toBeVisible()
  expect(await pasted()).toBe('WARN one\ntwo\nWARN three')

  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await copy.click()
  const refusal = page.locator('.toast').filter({ hasText: "Your browser didn't allow copying." })
  const saved = page.waitForEvent('download')
  await refusal.getByRole('button', { name: 'Download the shown lines' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.log$/)
  await expect(refusal).toHaveCount(0)
  await page.getByRole('button', { name: /^Copy address/ }).click()
  await expect(page.locator('.toast code')).toHaveText(/^[\d.]+:\d+$/)
})

test('a paste of several lines asks and goes out line by line; what is refused stays with its reason', async ({
  page,
}) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, ['ready'])
  await page.goto(`/panel/${serverId}/console`)
  const input = page.getByLabel(COMMAND)
  await expect(page.getByRole('log')).toContainText('ready')
  const paste = async (text: string) => {
    await input.focus()
    await input.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', pasted)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  }

  await paste('say one\nsay two\n\nsay three\n')
  await expect(page.getByRole('dialog', { name: 'Send 3 commands?' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(node.commands).toEqual([])
  await paste('say one\nsay two\nsay three')
  await page.getByRole('button', { name: 'Send 3', exact: true }).click()
  await expect.poll(() => node.commands).toEqual(['say one', 'say two', 'say three'])
  await expect(page.getByRole('log')).toContainText('You said: say three')

  await test.step('a refusal keeps the command', async () => {
    node.refusal = 'NOT_READING'
    await input.fill('save-all')
    await input.press('Enter')
    await expect(page.getByText("Not sent: the server isn't reading commands right now.")).toBeVisible()
    await expect(input).toHaveValue('save-all')
    node.refusal = undefined
    await input.press('Enter')
    await expect(input).toHaveValue('')
    await expect.poll(() => node.commands.at(-1)).toBe('save-all')
  })

  await test.step('without a link nothing is queued', async () => {
    const letIn = node.shut()
    await node.cut(1012)
    await expect(page.getByText(/Connection lost, reconnecting/)).toBeVisible()
    await input.fill('stop')
    await input.press('Enter')
    await expect(page.getByText("The console isn't connected: commands can't be sent right now.")).toBeVisible()
    await expect(input).toHaveValue('stop')
    letIn()
    await expect.poll(() => node.resumedAfter.length).toBe(2)
    await expect(page.getByText("The console isn't connected: commands can't be sent right now.")).toHaveCount(0)
    expect(node.commands).not.toContain('stop')
  })

  await test.step('a command that is too long is told', async () => {
    await input.fill('x'.repeat(4_200))
    await expect(page.getByText('4,200 of 4,096 bytes')).toBeVisible()
    await input.press('Enter')
    await expect(page.getByText(/a command can have at most 4,096 bytes/)).toBeVisible()
  })
})

test('why there is no console stands in words', async ({ page }) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, ['ready'])
  await page.goto(`/panel/${serverId}/console`)
  await expect(page.getByRole('log')).toContainText('ready')
  for (const [code, title] of [
    [4401, 'The session has ended'],
    [4403, "You don't have access to this console"],
    [4408, "Your connection couldn't keep up"],
    [4409, 'This server is suspended'],
    [4429, 'Too many open consoles'],
  ] as const) {
    await node.cut(code)
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.reload()
    await expect(page.getByRole('log')).toContainText('ready')
  }
  await page.goto('/panel/01900000-0000-7000-8000-00000000dead/console')
  await expect(page.getByText('Invalid server ID').first()).toBeVisible()
})

test('axe finds nothing with graphs, a crash and a lively log, wide and narrow', async ({ page }) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, [...many(50), 'WARN one', 'ERROR two', '<Panni> three'])
  await page.goto(`/panel/${serverId}/console`)
  await expect(page.getByRole('log')).toContainText('<Panni> three')
  node.drop(3)
  await page.getByRole('button', { name: 'Graphs' }).click()
  await expect(page.getByText('No measurements in this period.')).toBeVisible()
  node.say({ event: 'status', args: ['crashed', { code: 137, signal: null, oom: true, restartInMs: 60_000 }] })
  await expect(page.getByText('It ran out of memory')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^It restarts automatically in [1-5]?\d seconds\.\s*$/)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    expect(await violations(page), `at ${size.width}`).toEqual([])
  }
})
