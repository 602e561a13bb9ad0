import { describe, expect, it } from 'vitest'

import { isRightSecret } from '#platform/right-secret.ts'

describe('a secret that was sent', () => {
  it.each([
    ['the same', 'open sesame', 'open sesame', true],
    ['another of the same length', 'open sesamf', 'open sesame', false],
    ['a shorter one', 'open', 'open sesame', false],
    ['a longer one', 'open sesame!', 'open sesame', false],
    ['none', undefined, 'open sesame', false],
    ['an empty one where none is set', '', '', false],
  ])('%s', (_case, sent, secret, isRight) => {
    expect(isRightSecret(sent, secret)).toBe(isRight)
  })
})
