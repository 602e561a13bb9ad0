import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { COMMAND, keepSession, many, openServer, scrollOf } from '../support/console-page.ts'
import { standInForConsole } from '../support/console-stand-in.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, permissions: ['clipboard-read'] })

/** The console with a long log, a finger, and the middle of the log on the screen. */
const openByTouch = async (page: Page) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, many(500))
  await page.goto(`/panel/${serverId}/console`)
  const log = page.getByRole('log')
  await expect(log).toContainText('line 500 of an evening')
  const session = await page.context().newCDPSession(page)
  const box = await log.boundingBox()
  if (!box) throw new Error('The log is not on the screen.')
  const middle = { x: Math.round(box.x + box.width / 4), y: Math.round(box.y + box.height / 2) }
  const startSeconds = Date.now() / 1_000
  /** `atMs`: when the finger is there, as the screen tells it; without it the moment at which the event arrives. */
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number, atMs?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: middle.x, y }],
      ...(atMs === undefined ? {} : { timestamp: startSeconds + atMs / 1_000 }),
    })
  return { node, log, middle, touch }
}

test('a flick moves the log and lets it run on, and nothing else on the page moves', async ({ page }) => {
  const { middle, touch } = await openByTouch(page)
  const before = (await scrollOf(page)).top
  const travelled = async () => before - (await scrollOf(page)).top
  // A finger's way of 280 px in a quarter of a second, however slowly this machine hands it over.
  const path = [touch('touchStart', middle.y - 120, 0)]
  for (let step = 1; step <= 14; step += 1) path.push(touch('touchMove', middle.y - 120 + step * 20, 16 * step))
  await Promise.all([...path, touch('touchEnd', undefined, 16 * 15)])
  // The finger is gone, and the log has run on by itself.
  await expect.poll(travelled).toBeGreaterThan(310)
  await expect(page.getByRole('button', { name: 'Jump to end' })).toBeVisible()
  expect(await page.evaluate(() => [window.scrollX, window.scrollY])).toEqual([0, 0])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a finger that rests is left alone, and what a long press marks stays in place and is copied', async ({
  page,
}) => {
  const { node, log, middle, touch } = await openByTouch(page)
  // A headless browser makes no long press of a held finger, so the test sees that nothing on the page is in its way...
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    for (const type of ['touchstart', 'touchend', 'touchcancel', 'pointercancel', 'selectstart']) {
      document.addEventListener(type, (event) => heard.push(event.defaultPrevented ? `${type} refused` : type))
    }
  })
  await touch('touchStart', middle.y)
  const held = await page.evaluate(async ({ x, y }) => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    const target = document.elementFromPoint(x, y)
    const isFree = target?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })) ?? false
    const { heard } = window as unknown as { heard: string[] }
    return { isFree, select: target ? getComputedStyle(target).userSelect : '', heard: [...heard] }
  }, middle)
  expect(held).toEqual({ isFree: true, select: 'auto', heard: ['touchstart'] })
  await touch('touchEnd')

  // ...and does by hand what the press does: the word under the finger, then the second handle some lines further down.
  const top = (await scrollOf(page)).top
  const marked = await page.evaluate(({ x, y }) => {
    const selection = window.getSelection()
    const place = document.caretRangeFromPoint(x, y)
    const below = document.caretRangeFromPoint(x, y + 96)
    if (!selection || !place || !below) throw new Error('There is no text under the finger.')
    selection.setBaseAndExtent(place.startContainer, place.startOffset, place.startContainer, place.startOffset)
    selection.modify('move', 'backward', 'word')
    selection.modify('extend', 'forward', 'word')
    const word = String(selection).trim()
    selection.extend(below.startContainer, below.startOffset)
    return { word, text: String(selection) }
  }, middle)
  expect('line of an evening'.split(' ').includes(marked.word) || /^\d+$/.test(marked.word)).toBe(true)
  expect(marked.text.split('\n').length).toBeGreaterThan(2)
  // No time of day gets between the lines.
  expect(marked.text).not.toMatch(/\d\d:\d\d/)

  // The page learns of the selection a frame later.
  await expect(page.getByRole('button', { name: 'Jump to end' })).toBeVisible()
  node.print(...many(25))
  await expect(page.getByRole('button', { name: '25 new lines' })).toBeVisible()
  expect(await page.evaluate(() => String(window.getSelection()))).toBe(marked.text)
  expect(Math.abs((await scrollOf(page)).top - top)).toBeLessThan(2)
  await page.evaluate(() => document.execCommand('copy'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(marked.text)

  await page.evaluate(() => window.getSelection()?.removeAllRanges())
  await expect(page.getByRole('button', { name: '25 new lines' })).toHaveCount(0)
  await expect.poll(async () => (await scrollOf(page)).left).toBeLessThan(30)
  await expect(log).toContainText('line 25 of an evening')
})

test('beside the keyboard of the screen the command line and the log stay in sight', async ({ page }) => {
  await openByTouch(page)
  const input = page.getByLabel(COMMAND)
  await input.tap()
  // The signs of a keyboard in a browser: less height while the box has the focus.
  await page.setViewportSize({ width: 390, height: 500 })
  await expect(page.locator('.con')).toHaveClass(/con-typing/)
  await page.keyboard.type('say hello')
  const [log, line] = [await page.getByRole('log').boundingBox(), await input.boundingBox()]
  expect(line && line.y + line.height).toBeLessThanOrEqual(500)
  expect(log?.height).toBeGreaterThan(300)
  await expect.poll(async () => (await scrollOf(page)).left).toBeLessThan(30)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log')).toContainText('You said: say hello')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.locator('.con')).not.toHaveClass(/con-typing/)
})

test('every control of the console is large enough for a finger', async ({ page }) => {
  await openByTouch(page)
  await page.getByRole('button', { name: 'Graphs' }).click()
  await page.getByRole('button', { name: 'Search the log' }).click()
  const small = await page.locator('.con-page :is(button, input, summary, a)').evaluateAll((elements) =>
    elements
      .map((element) => ({
        name: element.getAttribute('aria-label') ?? element.textContent,
        box: element.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(({ name, box }) => `${name}: ${box.width} x ${box.height}`),
  )
  expect(small).toEqual([])
})
