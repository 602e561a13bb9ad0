// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { MAX_MANUAL_FT } from '#domain/payments/manual-credit.ts'
import { Credits } from '../../../../../src/cms/admin/money/credits.tsx'
import { typedForints } from '../../../../../src/cms/admin/money/fields.tsx'
import { press, showAdmin, textOf, type } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

test('an amount is whole forints, up to the most that the domain knows', () => {
  for (const text of ['', '0', '-1', '1e3', '10,5', String(MAX_MANUAL_FT + 1), '999 999 999', '9'.repeat(400)]) {
    expect(typedForints(text), text).toBeNull()
  }
  expect([typedForints('12 000'), typedForints(String(MAX_MANUAL_FT))]).toEqual([12_000, MAX_MANUAL_FT])
})

test('a credit above the most, and a reason of digits, are refused on the screen in the words of the rule', async () => {
  const { posts } = await showAdmin(<Credits />, () => ({ items: [], next: null, limitFt: 10_000 }))
  await type('Amount in forints', '10 000 001')
  await type('Reason', '1234567890')
  await press('Check')
  expect(textOf('.bakter-field .bakter-fault')).toBe(
    'Whole forints, at most 10,000,000 Ft. The reason needs at least 10 letters.',
  )
  await type('Amount in forints', '10 000 000')
  await type('Reason', 'Two days of outage')
  await press('Check')
  expect(textOf('.bakter-field .bakter-fault')).toBe('')
  expect(posts()).toEqual([])
})

test('the first refused field of a credit has the focus, and the fields keep what was typed', async () => {
  const { posts } = await showAdmin(<Credits />, () => ({ items: [], next: null, limitFt: 10_000 }))
  await type('Amount in forints', '1,5')
  await type('Reason', 'Two days of outage')
  await press('Check')
  const amount = [...document.querySelectorAll('input')].find(({ value }) => value === '1,5')
  expect(amount?.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(amount)
  expect(document.querySelector('textarea')?.value).toBe('Two days of outage')
  expect(textOf('form [role=alert]')).toBe('Choose the customer first.')
  expect(posts()).toEqual([])
})
