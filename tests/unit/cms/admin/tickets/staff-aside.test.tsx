// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { StaffAside } from '../../../../../src/cms/admin/tickets/staff-aside.tsx'
import { queuedTicket } from '../../../../factories/staff-ticket.ts'
import { settled, showAdmin, textOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

test('the parts beside a ticket appear together, also when one of them cannot be read', async () => {
  const waiting = () => document.querySelector('aside')?.dataset['waiting']
  let answer: (facts: object | undefined) => void = () => {}
  const late = new Promise<object | undefined>((resolve) => {
    answer = resolve
  })
  const reload = () => Promise.resolve()
  await showAdmin(<StaffAside ticket={queuedTicket()} isAdmin={false} reload={reload} />, ({ path }) => {
    if (path.endsWith('/customer')) return late
    return path.startsWith('/api/cms/users') ? { docs: [] } : []
  })
  expect([waiting(), textOf('aside > [role=status]')]).toEqual(['true', 'Loading…'])
  answer(undefined)
  await settled()
  expect([waiting(), textOf('aside > [role=status]')]).toEqual(['false', ''])
  expect(textOf('aside')).toContain('No other tickets in your categories.')
})
