// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Invoices } from '../../../../../src/cms/admin/money/invoices.tsx'
import {
  press,
  queryOf,
  refusal,
  showAdmin,
  textOf,
  type,
  wait,
  type SiteAnswer,
} from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a number is asked for when it rests, and not letter by letter', async () => {
  const { asked } = await showAdmin(<Invoices />, () => ({ items: [], next: null }))
  for (const text of ['S', 'SZ', 'SZ-1']) {
    await type('Number', text)
    await wait(100)
  }
  await wait(300)
  expect(asked.map(({ path }) => queryOf(path)['number'] ?? '')).toEqual(['', 'SZ-1'])
})

test.each<[string, SiteAnswer, string]>([
  ['is refused', refusal(429, 'TOO_MANY_REQUESTS', 'Wait a little.'), 'Wait a little.'],
  ['has no answer', undefined, "This didn't load. Nothing has changed."],
])('a PDF that %s leaves the page and says so', async (_, answer, said) => {
  const document_ = {
    id: 'd',
    userId: 'u',
    number: 'SZ-1',
    kind: 'invoice',
    form: 'electronic',
    status: 'paid',
    totalFt: 127,
    netFt: 100,
    vatFt: 27,
    what: 'x',
    reason: null,
    createdAt: '2026-06-01T10:00:00.000Z',
    takenBackBy: [],
  }
  let pdf: SiteAnswer = answer
  const { asked } = await showAdmin(<Invoices />, (each) => {
    if (each.path.endsWith('/pdf')) return pdf
    return each.path.startsWith('/api/cms') ? { docs: [] } : { items: [document_], next: null }
  })
  expect(document.querySelector('a[href*=pdf]')).toBeNull()
  await press('SZ-1, download the PDF')
  expect(textOf('tbody [role=alert]')).toBe(said)
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  pdf = new Response('%PDF')
  await press('SZ-1, download the PDF')
  expect([saved, textOf('tbody [role=alert]')]).toEqual([['SZ-1.pdf'], ''])
  expect(asked.filter(({ path }) => path === '/api/admin/invoices/d/pdf')).toHaveLength(2)
})
