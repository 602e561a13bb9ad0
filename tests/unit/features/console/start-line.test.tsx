// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { closedConsole } from '../../../../src/features/console/console-store.ts'
import { StartLine } from '../../../../src/features/console/start-line.tsx'
import { SHOWN_SERVER_ID } from '../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

const STARTS = `GET /api/server/${SHOWN_SERVER_ID}/starts`
const USUAL = { count: 4, lowMs: 38_000, medianMs: 40_000, highMs: 43_000 }

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = (answer: () => Response, sinceMs = 0) => {
  const state = { ...closedConsole, word: 'starting' as const, wordSinceMs: sinceMs }
  page = shownPage(<StartLine serverId={SHOWN_SERVER_ID} state={state} word="starting" />, { [STARTS]: answer })
}
const bar = () => document.querySelector('[role=progressbar]')

test('a page that was opened during a start says what is left of it by the earlier ones', async () => {
  show(() => Response.json({ usual: USUAL, startingForMs: 12_500 }))
  await page.see('.start-time', '12 s so far · about 30 s left')
  // The page's clock is up to a second older than the answer.
  const percent = Number(bar()?.getAttribute('aria-valuenow'))
  expect(percent).toBeGreaterThanOrEqual(28)
  expect(percent).toBeLessThanOrEqual(33)
  expect(bar()?.getAttribute('aria-valuetext')).toBe('about 30 s left')
})

test('beyond the usual time nothing is left: it takes longer than usual', async () => {
  show(() => Response.json({ usual: USUAL, startingForMs: 61_500 }))
  await page.see('.start-time', 'taking longer than usual (usually 40 s)')
  expect(bar()?.getAttribute('aria-valuenow')).toBe('95')
})

test.each([
  ['too few starts', () => Response.json({ usual: null, startingForMs: 12_500 })],
  ['a failed call', () => Response.json({}, { status: 503 })],
])('with %s only the time so far is said, and the track keeps its place', async (_name, answer) => {
  show(answer, Date.now() - 12_200)
  await eventually(() => expect(page.calls).toHaveLength(1))
  await page.see('.start-time', '12 s so far')
  expect(page.text()).not.toMatch(/left|usual/)
  expect([bar(), document.querySelectorAll('.start-bar').length]).toEqual([null, 1])
})
