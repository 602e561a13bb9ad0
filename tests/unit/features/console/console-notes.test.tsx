// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ConsoleNotes } from '../../../../src/features/console/console-notes.tsx'
import { closedConsole } from '../../../../src/features/console/console-store.ts'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer, shownUser } from '../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const OTHER_ID = '01890000-0000-7000-8000-0000000000cc'
const admin = [{ name: 'Admin', isAdmin: 1 as const, isSupport: 0 as const }]
const ofOwner = 'Until then you can renew it or download its folder from its settings.'
const ofOther = 'Until then only its owner can keep it.'

test.each([
  ['its owner', { id: OWNER_ID }, ofOwner, true],
  ['a sub-user', { id: OTHER_ID }, ofOther, false],
  ['an administrator', { id: OTHER_ID, role: admin }, ofOther, true],
])('%s reads what can be done about an expired server', async (_name, reader, words, hasWay) => {
  const server = shownServer({ expiry: '2026-01-01T10:00:00.000Z' })
  page = shownPage(<ConsoleNotes server={server} state={closedConsole} word="offline" onDismiss={() => {}} />, {
    'GET /api/user/me': () => Response.json(shownUser(reader)),
  })
  await eventually(() => expect(page.calls).toHaveLength(1))
  await page.see('.notice', words)
  if (hasWay) await page.see('.notice a', 'Settings')
  const ways = [...document.querySelectorAll('.notice a')].map((link) => link.getAttribute('href'))
  expect(ways).toEqual(hasWay ? [`/panel/${SHOWN_SERVER_ID}/settings`] : [])
})

test.each([
  ['its owner', { id: OWNER_ID }, true],
  ['a sub-user', { id: OTHER_ID }, false],
])('%s of a server that ran out of memory is led to its size', async (_name, reader, hasWay) => {
  const state = { ...closedConsole, end: { code: 137, signal: null, oom: true } }
  page = shownPage(<ConsoleNotes server={shownServer()} state={state} word="crashed" onDismiss={() => {}} />, {
    'GET /api/user/me': () => Response.json(shownUser(reader)),
  })
  await eventually(() => expect(page.calls).toHaveLength(1))
  await page.see('.notice', 'a larger package')
  if (hasWay) await page.see('.notice a', 'Change the size')
  const ways = [...document.querySelectorAll('.notice a')].map((link) => link.getAttribute('href'))
  expect(ways).toEqual(hasWay ? [`/panel/${SHOWN_SERVER_ID}/settings#resources`] : [])
})
