import { createECDH, randomBytes } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { composePush } from '../../../../../control-plane/messages/push/compose-push.ts'
import { asPushKey } from '../../../../../control-plane/messages/push/push-keys.ts'
import { decryptPush } from '../../../../emulators/push/decrypt.ts'

const base64 = (text: string) => Buffer.from(text, 'base64url')

const browser = () => {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url')
  const auth = randomBytes(16)
  return {
    target: { endpoint: 'https://push.example.com/a/b', p256dh, auth: auth.toString('base64url') },
    keys: { privateKey: pair.getPrivateKey(), auth },
  }
}
const own = createECDH('prime256v1')
own.generateKeys()
const key = asPushKey(own)
const text = {
  title: 'Elkészült a szerver: Őrház',
  body: 'A telepítés kész.',
  path: '/panel/1/console',
  tag: '019aa000-0000-7000-8000-000000000001',
  lang: 'hu',
}
const options = { key, contact: 'mailto:host@example.com', lifeSeconds: 600 }

it('the browser of these tests reads the message of RFC 8291, appendix A', () => {
  const message =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  const keys = {
    privateKey: base64('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    auth: base64('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  expect(decryptPush(base64(message), keys)).toBe('When I grow up, I want to be a watermelon')
})

describe('a push', () => {
  it('is read by its browser, and by no other', () => {
    const [mine, other] = [browser(), browser()]
    const push = composePush(mine.target, text, options)
    expect(JSON.parse(decryptPush(push.body, mine.keys))).toEqual(text)
    expect(() => decryptPush(push.body, other.keys)).toThrow('unable to authenticate data')
    expect(Buffer.from(push.body).toString('latin1')).not.toContain('telep')
  })

  it('is signed by a key whose number begins with zeros, as one of 256 does', async () => {
    const small = createECDH('prime256v1')
    small.setPrivateKey(Buffer.alloc(31, 7))
    const { headers } = composePush(browser().target, text, { ...options, key: asPushKey(small) })
    const [, token = '', known] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers['Authorization'] ?? '') ?? []
    expect(known).toBe(small.getPublicKey('base64url'))
    const [x = '', y = ''] = [small.getPublicKey().subarray(1, 33), small.getPublicKey().subarray(33)].map((part) =>
      part.toString('base64url'),
    )
    const verified = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'))
    expect(verified.payload.aud).toBe('https://push.example.com')
  })

  it('names its life, its topic and its encoding, and nothing of what it says', () => {
    const { headers, endpoint } = composePush(browser().target, text, options)
    expect(endpoint).toBe('https://push.example.com/a/b')
    expect(headers).toMatchObject({
      TTL: '600',
      'Content-Encoding': 'aes128gcm',
      Topic: '019aa000000070008000000000000001',
      Authorization: expect.stringMatching(/^vapid t=/),
    })
    expect(JSON.stringify(headers)).not.toContain('Őrház')
  })

  it('of the longest names still fits; a longer one is not made', () => {
    const long = { ...text, title: 'ő'.repeat(150), body: 'ű'.repeat(700) }
    expect(composePush(browser().target, long, options).body.byteLength).toBeLessThanOrEqual(4_096)
    expect(() => composePush(browser().target, { ...text, body: 'x'.repeat(4_000) }, options)).toThrow('too long')
  })

  it('for keys that are none is not made', () => {
    const { target } = browser()
    const nowhere = { ...target, p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url') }
    expect(() => composePush(nowhere, text, options)).toThrow('Public key is not valid')
  })
})
