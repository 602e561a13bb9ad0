import { expect, it } from 'vitest'
import { documentOnTheWire, type DocumentRef } from '../../../../../control-plane/money/things/document-ref.ts'

it.each<[string, DocumentRef, object]>([
  ['an order by its kind', { kind: 'order', id: 'a' }, { kind: 'order', id: 'a' }],
  ['a payment by its kind', { kind: 'payment', id: 'a' }, { kind: 'payment', id: 'a' }],
  ['a premium tier by its id alone', { kind: 'premium', id: 'a' }, { kind: 'none', id: 'a' }],
  ['spins by their id alone', { kind: 'spins', id: 'a' }, { kind: 'none', id: 'a' }],
  ['a refund by its name', { kind: 'refund', id: 'a' }, { kind: 'none', id: 'refund:a' }],
  [
    'a charge-back with its source',
    { kind: 'chargeback', id: 'a', source: 's:1' },
    { kind: 'none', id: 'chargeback:a:s:1' },
  ],
  ['a charge-back without a source', { kind: 'chargeback', id: 'a', source: '' }, { kind: 'none', id: 'chargeback:a' }],
])('names %s to customers', (_name, document, words) => {
  expect(documentOnTheWire(document)).toEqual(words)
})
