import { createPrivateKey } from 'node:crypto'

import { afterAll, describe, expect, it } from 'vitest'

import { newKey } from '../../../../agents/acme/account.ts'
import { certificateRequest } from '../../../../agents/acme/certificate-request.ts'
import { Authority } from '../../../emulators/acme/authority.ts'

const authority = new Authority()
afterAll(() => authority.remove())

const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`

describe('the request of a certificate', () => {
  it.each(['a.test', 'node1.bakter.test', `${'a'.repeat(63)}.${'b'.repeat(60)}.test`, longest])(
    'is one that openssl takes, for the name %s',
    (name) => {
      const request = certificateRequest(name, createPrivateKey(newKey()))
      expect(authority.namesOf(request)).toEqual([name])
    },
  )

  it('is refused by openssl when one bit of it differs', () => {
    const request = certificateRequest('node1.bakter.test', createPrivateKey(newKey()))
    const at = request.indexOf('bakter')
    request.writeUInt8(request.readUInt8(at) ^ 1, at)
    expect(() => authority.namesOf(request)).toThrow('signature is wrong')
  })
})
