import { expect, it } from 'vitest'
import { payloadSegments } from '../../../../src/cms/admin/overview.ts'

it.each([
  [['overview'], undefined],
  [undefined, undefined],
  [
    ['overview', 'more'],
    ['overview', 'more'],
  ],
  [
    ['collections', 'users'],
    ['collections', 'users'],
  ],
])('of %j Payload renders %j', (segments, rendered) => {
  expect(payloadSegments(segments)).toEqual(rendered)
})
