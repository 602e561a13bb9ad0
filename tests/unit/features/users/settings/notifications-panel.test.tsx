// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '#contracts/http/user.ts'
import { MATRIX_KEYS } from '#domain/notifications/matrix.ts'
import { NotificationsPanel } from '../../../../../src/features/users/settings/notifications-panel.tsx'
import { shownUser } from '../../../../factories/shown-server.ts'
import { eventually, shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const matrix = Object.fromEntries(MATRIX_KEYS.map((key) => [key, { mail: key !== 'ticket.opened', push: false }]))
const show = (role: User['role']) => {
  const settings = { matrix, push: { publicKey: '', isHere: false, browsers: 0 } }
  page = shownPage(<NotificationsPanel />, {
    'GET /api/user/me': () => Response.json(shownUser({ role })),
    'GET /api/user/notifications/settings': () => Response.json(settings),
    'PUT /api/user/notifications/settings': () => Response.json(settings),
  })
  return page
}
const rowNames = () => [...document.querySelectorAll('.matrix tbody th')].map((row) => row.textContent)
const ofStaff = ['Ticket assigned to you', 'New tickets']

test.each([
  ['support', { name: 'Support', isAdmin: 0, isSupport: 1 }],
  ['an administrator', { name: 'Admin', isAdmin: 1, isSupport: 0 }],
] as const)('%s chooses among the notifications of staff too', async (_who, role) => {
  await show([role]).see('.matrix tbody th', 'New tickets')
  expect(rowNames()).toHaveLength(MATRIX_KEYS.length)
  expect(rowNames()).toEqual(expect.arrayContaining(ofStaff))
})

test('a customer is not offered the notifications of staff, and saves them as they are', async () => {
  const shown = show([])
  await shown.see('.matrix tbody th', 'Ticket closed')
  await eventually(() => expect(document.querySelector('.stack-24')?.hasAttribute('inert')).toBe(false))
  expect(rowNames().filter((name) => ofStaff.includes(name))).toEqual([])
  ;(await shown.see<HTMLInputElement>('input', 'Ticket closed: E-mail')).click()
  const saved = await eventually(() => {
    const call = shown.calls.find(({ name }) => name.startsWith('PUT'))
    expect(call).toBeDefined()
    return call?.body
  })
  expect(saved).toEqual({ matrix: { ...matrix, 'ticket.closed': { mail: false, push: false } } })
})
