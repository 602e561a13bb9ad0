// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Composer } from '../../../../../src/cms/admin/tickets/composer.tsx'
import { identifierOf, queuedTicket, ticketLine } from '../../../../factories/staff-ticket.ts'
import { press, refusal, settled, showAdmin, textOf, type, type AskedOf } from '../../../../support/admin-screen.tsx'
import { reader } from '../../../../support/payload-ui.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const server = (name: string) => ({ id: name, identifier: 'acdefghj', name, status: 'running', troubles: [] })
const replies = [
  {
    id: '1',
    title: { en: 'Thanks', hu: 'Köszönet' },
    text: { en: 'Hi {{customer}}', hu: 'Szia {{customer}}! {{ticket}}, {{category}}', de: '' },
  },
  { id: '2', title: { en: 'Log of the server' }, text: { en: 'Send the log of {{server}}, {{staff}}' } },
  { id: '3', title: { en: 'Not written yet' }, text: null },
]
let servers: readonly ReturnType<typeof server>[]
let language: string | null
const site = ({ path, method }: AskedOf) => {
  if (path.startsWith('/api/cms/canned-replies')) return { docs: replies }
  if (path.endsWith('/customer'))
    return language === null
      ? refusal(403, 'FORBIDDEN', 'No.')
      : {
          language,
          category: 'Számlázás',
          balance: { availableFt: 0, heldFt: 0, debtFt: 0 },
          servers,
          hasMoreServers: false,
        }
  return method === 'POST' ? ticketLine(1) : {}
}
const reload = () => Promise.resolve()
const shown = () => showAdmin(<Composer ticket={queuedTicket()} canReopen={false} reload={reload} />, site)
const field = () => document.querySelector('textarea')
const titles = () => Array.from(document.querySelectorAll('.bakter-replies b'), ({ textContent }) => textContent)
const hold = async (key: string, target: Element | null = field()) => {
  await act(async () => target?.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true })))
  await settled()
}
const REPLY = 'Reply to the customer'

beforeEach(() => {
  window.localStorage.clear()
  reader.language = 'en'
  servers = [server('Skyblock')]
  language = 'hu'
})

test('a reply is found by typing and goes to the cursor, filled in and in the language of the customer', async () => {
  await shown()
  await type(REPLY, 'AB')
  field()?.setSelectionRange(1, 1)
  await hold('k')
  expect(titles()).toEqual(['Log of the server', 'Thanks'])
  await type('Search', 'thánks')
  expect(titles()).toEqual(['Thanks'])
  await act(async () => document.querySelector('dialog form')?.dispatchEvent(new Event('submit', { bubbles: true })))
  await settled()
  const inserted = `Szia anna! #${identifierOf(1)}, Számlázás`
  expect([field()?.value, field()?.selectionStart]).toEqual([`A${inserted}B`, 1 + inserted.length])
  expect(document.querySelector('dialog')).toBeNull()
})

test('a text that lacks the language of the customer is inserted in one that it has, by its button too', async () => {
  await shown()
  await press('Saved replies…')
  await act(async () => document.querySelectorAll<HTMLElement>('.bakter-replies button')[0]?.click())
  expect(field()?.value).toContain('Send the log of Skyblock')
})

test('of several servers none is named, and a reply with an open placeholder is not sent until it is filled in', async () => {
  servers = [server('Skyblock'), server('Lobby')]
  const { posts } = await shown()
  await press('Saved replies…')
  await act(async () => document.querySelectorAll<HTMLElement>('.bakter-replies button')[0]?.click())
  await hold('Enter')
  expect([textOf('[role=alert]'), posts()]).toEqual([expect.stringContaining('Fill in {{server}}'), []])
  await type(REPLY, 'Send the log of Lobby')
  await hold('Enter')
  expect(posts()).toMatchObject([{ body: { message: 'Send the log of Lobby' } }])
})

test('of a customer whose account is hidden the language is that of the reader', async () => {
  language = null
  await shown()
  await press('Saved replies…')
  await act(async () => document.querySelectorAll<HTMLElement>('.bakter-replies button')[1]?.click())
  expect(field()?.value).toBe('Hi anna')
})

test('notes take no saved replies, and what does not fit is refused with the text kept', async () => {
  await shown()
  await press('Internal note')
  expect(textOf('form')).not.toContain('Saved replies')
  await hold('k')
  expect(document.querySelector('dialog')).toBeNull()
  await press(REPLY)
  const long = 'x'.repeat(20_000)
  await type(REPLY, long)
  await press('Saved replies…')
  await act(async () => document.querySelectorAll<HTMLElement>('.bakter-replies button')[1]?.click())
  expect([field()?.value, textOf('[role=alert]')]).toEqual([long, 'The saved reply does not fit any more.'])
})

test('the arrows go from the search through the replies and back', async () => {
  await shown()
  await hold('k')
  const arrow = async (key: string) =>
    act(async () => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
  document.querySelector<HTMLElement>('dialog input')?.focus()
  await arrow('ArrowDown')
  await arrow('ArrowDown')
  await arrow('ArrowDown')
  expect(document.activeElement?.textContent).toContain('Thanks')
  await arrow('ArrowUp')
  await arrow('ArrowUp')
  expect(document.activeElement?.tagName).toBe('INPUT')
})
