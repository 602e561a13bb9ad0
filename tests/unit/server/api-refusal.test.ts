import { expect, test } from 'vitest'
import { methodsOf } from '../../../src/server/api-refusal.ts'

test.each([
  ['/api/orders', ['POST']],
  ['/api/orders/', ['POST']],
  ['/api/server/0197f2ab-0000-7000-8000-000000000000/power', ['POST']],
  ['/api/server/a/b/power', []],
  ['/api/ordersx', []],
  ['/api', []],
])('%s takes %j', (path, methods) => {
  expect(methodsOf(path)).toEqual(methods)
})
