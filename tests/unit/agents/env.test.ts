import { describe, expect, it } from 'vitest'

import { readEnv } from '../../../agents/env.ts'

const ACME = {
  AGENT_ACME_DIRECTORY: 'https://authority.test/directory',
  AGENT_ACME_TERMS: 'accepted',
  AGENT_TLS_NAME: 'node1.bakter.test',
}

describe('settings of the certificate', () => {
  it('takes the least that ACME needs', () => {
    const { acme, tls } = readEnv(ACME)
    expect(tls).toBeUndefined()
    expect(acme).toEqual({
      directory: 'https://authority.test/directory',
      name: 'node1.bakter.test',
      email: undefined,
      httpPort: 80,
      externalAccount: undefined,
    })
  })

  it('takes all of it, and a name in capitals as the same name', () => {
    const { acme } = readEnv({
      ...ACME,
      AGENT_TLS_NAME: 'Node1.Bakter.Test',
      AGENT_ACME_EMAIL: 'host@bakter.test',
      AGENT_ACME_HTTP_PORT: '8089',
      AGENT_ACME_EAB_KID: 'customer-7',
      AGENT_ACME_EAB_HMAC: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
    })
    expect(acme).toMatchObject({
      name: 'node1.bakter.test',
      email: 'host@bakter.test',
      httpPort: 8_089,
      externalAccount: { keyId: 'customer-7', hmacKey: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ' },
    })
  })

  it('takes neither from variables that are empty', () => {
    const empty = Object.fromEntries(Object.keys(ACME).map((name) => [name, '']))
    expect(readEnv({ ...empty, AGENT_TLS_CERT: '', AGENT_TLS_KEY: '' })).toMatchObject({
      acme: undefined,
      tls: undefined,
    })
  })

  it.each(['http://127.0.0.1:14000/directory', 'http://localhost:14000/', 'http://[::1]:14000/directory'])(
    'takes an authority on this machine over http: %s',
    (directory) => {
      expect(readEnv({ ...ACME, AGENT_ACME_DIRECTORY: directory }).acme?.directory).toBe(directory)
    },
  )

  it.each<[string, Record<string, string>, string]>([
    ['files and ACME', { AGENT_TLS_CERT: 'a.crt', AGENT_TLS_KEY: 'a.key' }, 'AGENT_ACME_DIRECTORY exclude one another'],
    ['no name', { AGENT_TLS_NAME: '' }, 'AGENT_ACME_DIRECTORY needs AGENT_TLS_NAME'],
    ['an IPv4 address', { AGENT_TLS_NAME: '203.0.113.7' }, 'it is an address'],
    ['an IPv6 address', { AGENT_TLS_NAME: '[2001:db8::7]' }, 'it is an address'],
    ['a name with a port', { AGENT_TLS_NAME: 'node1.bakter.test:8080' }, 'one plain host name'],
    ['a wildcard', { AGENT_TLS_NAME: '*.bakter.test' }, 'one plain host name'],
    ['two names', { AGENT_TLS_NAME: 'a.test,b.test' }, 'one plain host name'],
    ['a name that ends in a dot', { AGENT_TLS_NAME: 'node1.bakter.test.' }, 'one plain host name'],
    ['a name that ends in a number', { AGENT_TLS_NAME: 'node.7' }, 'one plain host name'],
    ['no word on the terms', { AGENT_ACME_TERMS: '' }, 'AGENT_ACME_TERMS=accepted'],
    ['another word on the terms', { AGENT_ACME_TERMS: 'yes' }, 'AGENT_ACME_TERMS=accepted'],
    ['a directory that is no address', { AGENT_ACME_DIRECTORY: 'letsencrypt' }, 'the https address'],
    ['a directory of another kind', { AGENT_ACME_DIRECTORY: 'ftp://authority.test/' }, 'the https address'],
    ['a directory with a password', { AGENT_ACME_DIRECTORY: 'https://a:b@authority.test/' }, 'no user, password'],
    ['plain http elsewhere', { AGENT_ACME_DIRECTORY: 'http://authority.test/directory' }, 'plain http is only for'],
    ['plain http to a look-alike', { AGENT_ACME_DIRECTORY: 'http://127.0.0.1.evil.test/' }, 'plain http is only for'],
    ['an e-mail address that is none', { AGENT_ACME_EMAIL: 'host' }, 'AGENT_ACME_EMAIL is wrong'],
    ['half an external account', { AGENT_ACME_EAB_KID: 'customer-7' }, 'AGENT_ACME_EAB_HMAC belong together'],
    ['a key that is not base64url', { AGENT_ACME_EAB_KID: '7', AGENT_ACME_EAB_HMAC: 'a+b/c' }, 'must be base64url'],
    ['the listener of the node itself', { AGENT_ACME_HTTP_PORT: '8080' }, 'listens at for another purpose'],
    ['the listener of its health', { AGENT_ACME_HTTP_PORT: '8081' }, 'listens at for another purpose'],
    ['no port', { AGENT_ACME_HTTP_PORT: '0' }, 'The setting AGENT_ACME_HTTP_PORT is wrong'],
  ])('refuses %s in one sentence', (_what, change, sentence) => {
    expect(() => readEnv({ ...ACME, ...change })).toThrow(sentence)
  })

  it.each(['AGENT_ACME_TERMS', 'AGENT_ACME_EMAIL', 'AGENT_ACME_EAB_KID', 'AGENT_ACME_EAB_HMAC', 'AGENT_TLS_NAME'])(
    'refuses %s without a directory',
    (name) => {
      expect(() => readEnv({ [name]: 'x' })).toThrow(`${name} means nothing without AGENT_ACME_DIRECTORY`)
    },
  )

  it('never says the key of an external account', () => {
    const secret = 'secret+with/other=letters'
    const read = (): unknown => readEnv({ ...ACME, AGENT_ACME_EAB_KID: '7', AGENT_ACME_EAB_HMAC: secret })
    expect(read).toThrow(expect.not.objectContaining({ message: expect.stringContaining(secret) }))
  })
})

describe('the setting of quotas', () => {
  it.each([
    [undefined, 'watcher'],
    ['', 'watcher'],
    ['loop-ext4', 'loop-ext4'],
  ])('%s is %s', (AGENT_QUOTA, quota) => {
    expect(readEnv(AGENT_QUOTA === undefined ? {} : { AGENT_QUOTA }).quota).toBe(quota)
  })

  it('refuses a driver that does not exist', () => {
    expect(() => readEnv({ AGENT_QUOTA: 'project' })).toThrow('The setting AGENT_QUOTA is wrong')
  })
})
