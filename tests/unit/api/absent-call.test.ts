import { expect, test } from 'vitest'
import { methodsOf } from '../../../src/api/absent-call.ts'

test.each([
  ['/api/orders', ['POST']],
  ['/api/orders/', []],
  ['/api/server/0197f2ab-0000-7000-8000-000000000000/power', ['POST']],
  ['/api/server/a/b/power', []],
  ['/api/ordersx', []],
  ['/api', []],
])('%s takes %j', (path, methods) => {
  expect(methodsOf(path)).toEqual(methods)
})
