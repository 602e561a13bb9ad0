import { expect, test } from 'vitest'
import { askedWithMark, policyMark, withMark } from '../../../src/server/policy-mark.ts'

const mark = policyMark(['wss://node.test:8080'])

test('other origins have another mark', () => {
  expect(policyMark(['wss://node.test:8080', 'wss://new.test:8080'])).not.toBe(mark)
  expect(policyMark(['wss://node.test:8080'])).toBe(mark)
})

test.each(['"one"', 'W/"one"'])('%s comes back as it was', (etag) => {
  expect(askedWithMark(withMark(etag, mark), mark)).toBe(etag)
})

test('of many tags those of this mark are asked for, of others none', () => {
  expect(askedWithMark(`"a-${mark}", W/"b-${policyMark([])}", W/"c-${mark}"`, mark)).toBe('"a", W/"c"')
  expect(askedWithMark('"one"', mark)).toBeUndefined()
  expect(askedWithMark('*', mark)).toBeUndefined()
  expect(askedWithMark(undefined, mark)).toBeUndefined()
})
