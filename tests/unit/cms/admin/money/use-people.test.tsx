// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Debts } from '../../../../../src/cms/admin/money/debts.tsx'
import { PersonPicker } from '../../../../../src/cms/admin/money/person-picker.tsx'
import { refusal, settled, showAdmin, textOf, type, wait, type SiteAnswer } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const FAILED = "This didn't load. Nothing has changed."
const FAILURES: [string, SiteAnswer][] = [
  ['a session that is over', refusal(401, 'UNAUTHENTICATED')],
  ['a fault on our side', new Response('<html>', { status: 500 })],
  ['no answer', undefined],
]

test.each(FAILURES)(
  'after %s the picker says that the search failed, and not that nobody is found',
  async (_, failed) => {
    let answer: SiteAnswer = failed
    await showAdmin(<PersonPicker value={null} onChange={() => {}} />, () => answer)
    await type('Find the customer', 'réka')
    await wait(300)
    expect(textOf('[role=status]')).toBe(FAILED)
    answer = { docs: [] }
    await type('Find the customer', 'réka 2')
    await wait(300)
    expect(textOf('[role=status]')).toBe('No matching customers.')
  },
)

test('the picker asks once for what rests, and shows nobody for another text', async () => {
  const { asked } = await showAdmin(<PersonPicker value={null} onChange={() => {}} />, () => ({
    docs: [{ id: '1', username: 'Réka' }],
  }))
  for (const text of ['rék', 'réka', 'réka m']) {
    await type('Find the customer', text)
    await wait(200)
  }
  expect(asked).toHaveLength(0)
  await wait(100)
  expect([asked.length, textOf('.bakter-found')]).toEqual([1, 'Réka'])
  await type('Find the customer', 'rékas')
  expect(textOf('.bakter-found')).toBe('')
})

test.each(FAILURES)('after %s names are asked for again, and nobody is called unknown', async (_, failed) => {
  const names = [failed, { docs: [{ id: 'owes', username: 'Réka' }] }]
  await showAdmin(<Debts />, ({ path }) =>
    path.startsWith('/api/cms/users')
      ? names.shift()
      : { items: [{ userId: 'owes', debtFt: 500, moneyFt: 0, since: null }] },
  )
  await settled()
  expect(textOf('tbody')).not.toContain('unknown')
  await wait(10_000)
  expect(textOf('tbody')).toContain('Réka')
})
