import { createHash } from 'node:crypto'

import { expect, it } from 'vitest'

import { integrityOf } from '../../../../agents/npm/content-store.ts'

const digest = (algorithm: string, encoding: 'hex' | 'base64') => createHash(algorithm).update('x').digest(encoding)

it('prefers sha512, falls back to the sum of old packages, and checks nothing else', () => {
  const integrity = `sha1-${digest('sha1', 'base64')} sha512-${digest('sha512', 'base64')}`
  expect(integrityOf({ integrity, shasum: digest('sha1', 'hex') })).toEqual({
    algorithm: 'sha512',
    hex: digest('sha512', 'hex'),
  })
  expect(integrityOf({ shasum: digest('sha1', 'hex') })).toEqual({ algorithm: 'sha1', hex: digest('sha1', 'hex') })
  expect(integrityOf({})).toBeUndefined()
  expect(integrityOf({ integrity: 'md5-xxxx', shasum: 'nonsense' })).toBeUndefined()
})
