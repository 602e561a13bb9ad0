// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { ServerRefund } from '../../../../../src/cms/admin/money/server-refund.tsx'
import { press, refusal, settled, showAdmin, textOf, type, type SiteAnswer } from '../../../../support/admin-screen.tsx'
import type { AskedOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
vi.mock('../../../../../src/cms/admin/money/person-picker.tsx', () => ({
  PersonPicker: ({ onChange }: { onChange: (person: object) => void }) => (
    <button type="button" onClick={() => onChange({ id: 'u', username: 'Réka' })}>
      Choose Réka
    </button>
  ),
}))

const AT = '2026-06-01T10:00:00.000Z'
const server = { id: 's', identifier: 'abcd2345', name: 'Watchman', expiry: AT, isDeleted: false }
const quote = (refundableFt: number) => ({
  serverId: 's',
  name: 'Watchman',
  expiry: AT,
  paidFt: 1500,
  returnedFt: 0,
  unusedFt: 700,
  unusedMoneyFt: 700,
  unusedBonusFt: 0,
  refundableFt,
})

/** The dialog of a refund, over a site that answers the act with `answer`. */
const opened = async (answer: () => SiteAnswer, refundableFt = 1500) => {
  const shown = await showAdmin(<ServerRefund />, ({ method, path }: AskedOf) => {
    if (method === 'POST') return answer()
    return path.endsWith('/refund') ? quote(refundableFt) : { items: [server], next: null }
  })
  await press('Choose Réka')
  await settled()
  await press('Refund Watchman')
  await settled()
  return shown
}
const fieldOf = (label: string) => {
  const named = [...document.querySelectorAll('dialog label')].find(({ textContent }) => textContent === label)
  return document.getElementById((named as HTMLLabelElement | undefined)?.htmlFor ?? '')
}
const noteOf = (label: string) =>
  (fieldOf(label)?.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

test('an amount that the quote does not allow is refused at its field, which gets the focus', async () => {
  const { posts } = await opened(() => undefined)
  await type('Amount in forints', '1501')
  await type('Reason', 'Two days of outage')
  await press('Refund 1,501 Ft')
  expect(fieldOf('Amount in forints')?.getAttribute('aria-invalid')).toBe('true')
  expect(noteOf('Amount in forints')).toContain('Whole forints')
  expect(document.activeElement).toBe(fieldOf('Amount in forints'))
  expect(posts()).toEqual([])
})

test('a reason that the API refuses is refused at its field, and both typed values stay', async () => {
  const fields = { reason: 'The reason names nobody.' }
  await opened(() => Response.json({ error: { code: 'INVALID_FIELDS', message: 'Refused', fields } }, { status: 422 }))
  await type('Amount in forints', '300')
  await type('Reason', 'Two days of outage')
  await press('Refund 300 Ft')
  expect(noteOf('Reason')).toContain('The reason names nobody.')
  expect(textOf('dialog [role=alert]')).toBe('The reason names nobody.')
  expect((fieldOf('Amount in forints') as HTMLInputElement).value).toBe('300')
  expect((fieldOf('Reason') as HTMLTextAreaElement).value).toBe('Two days of outage')
})

test('a server of which nothing is left is refused with its own sentence', async () => {
  await opened(() => undefined, 0)
  await type('Amount in forints', '1')
  await press('Refund 1 Ft')
  expect(noteOf('Amount in forints')).toContain('Nothing is left to refund.')
})

test('an act without a response keeps its key, and its outcome is called unknown', async () => {
  const { posts } = await opened(() => refusal(503, 'CONTROL_PLANE_UNAVAILABLE'))
  await type('Reason', 'Two days of outage')
  await press('Refund 700 Ft')
  expect(textOf('dialog [role=alert]')).toContain("We don't know whether this was done.")
  await press('Refund 700 Ft')
  expect(new Set(posts().map(({ key }) => key)).size).toBe(1)
  expect(posts()).toHaveLength(2)
})
