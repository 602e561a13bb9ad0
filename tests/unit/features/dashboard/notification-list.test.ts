import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import de from '../../../../src/messages/de.json' with { type: 'json' }
import en from '../../../../src/messages/en.json' with { type: 'json' }
import hu from '../../../../src/messages/hu.json' with { type: 'json' }

const languages = [
  ['en', en, 'You owe 2,000 Ft', 'renew'],
  ['hu', hu, 'A tartozásod 2,000 Ft', 'újít'],
  ['de', de, 'Du schuldest 2,000 Ft', 'verlänger'],
] as const

const nothing = {
  purchase: 'order',
  product: '',
  reason: 'Wrong price',
  days: 0,
  amount: '−5,000',
  owes: 'no',
  test: 'no',
  debt: '',
}
const of = (locale: 'en' | 'hu' | 'de', messages: typeof en) =>
  createTranslator({ locale, messages, namespace: 'notifications' })

test.each(languages)('%s: a correction says what is owed since, and only then', (locale, messages, owing) => {
  const words = of(locale, messages)
  const owed = { ...nothing, name: '', owes: 'yes', debt: '2,000 Ft' }
  expect(words('balance.corrected', owed)).toContain(owing)
  expect(words('balance.corrected', owed)).toContain('Wrong price')
  expect(words('balance.corrected', { ...nothing, name: '' })).not.toContain(owing.split(' ').slice(0, 2).join(' '))
})

test.each(languages)('%s: nobody is told to renew a test server', (locale, messages, _owing, renewal) => {
  const words = of(locale, messages)
  const read = (isTest: string) => words('server.expired', { ...nothing, name: 'Watchman', test: isTest }).toLowerCase()
  expect(read('no')).toContain(renewal)
  expect(read('yes')).not.toContain(renewal)
  expect(read('yes')).toContain('watchman')
  // Sub-users and owners of test servers are refused in the same words.
  const errors = createTranslator({ locale, messages, namespace: 'errors' })
  expect(errors('SERVER_EXPIRED').toLowerCase()).not.toContain(renewal)
})

test.each(languages)('%s: a debt is said without a cause that nobody knows', (locale, messages) => {
  const errors = createTranslator({ locale, messages, namespace: 'errors' })
  const texts = [
    errors('DEBT_OPEN', { amount: '2,000 Ft' }),
    errors('DEBT_UNPAID'),
    messages.privacy.deletionDebt,
    messages.balance.line.causes.debtPaid,
  ]
  expect(texts.filter((text) => /bank|visszave|zurück/iu.test(text))).toEqual([])
})
