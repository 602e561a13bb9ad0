import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { beforeEach, describe, expect, it, test } from 'vitest'

import { readProtectedFile } from '../../../../../agents/platform/protected-file.ts'
import { explainPull, RegistryLogins } from '../../../../../agents/runtime/docker/registry-logins.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

const SECRET = 'Pa55"word/+='
const basic = (username: string, password = SECRET): string => Buffer.from(`${username}:${password}`).toString('base64')

let file: string
beforeEach(() => {
  file = path.join(temporaryFolder(), 'logins.json')
})

const open = (content: unknown, mode = 0o600): RegistryLogins => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(file, mode)
  return new RegistryLogins(file, { read: readProtectedFile, uid: process.getuid?.() ?? 0 })
}
const login = (logins: RegistryLogins, registry: string) => {
  const answer = logins.of(registry)
  if (!answer.ok) throw new Error(answer.message)
  return answer.login
}

describe('logins for registries', () => {
  it.each([
    ['auth', { auth: basic('anna') }, { username: 'anna', password: SECRET }],
    ['a colon in the password', { auth: basic('anna', 'a:b:c') }, { username: 'anna', password: 'a:b:c' }],
    ['name and password', { username: 'anna', password: SECRET }, { username: 'anna', password: SECRET }],
    ['an identity token', { auth: basic('anna', ''), identitytoken: 't' }, { identitytoken: 't' }],
    ['a token', { registrytoken: 't' }, { registrytoken: 't' }],
  ])('are read from %s', (_, entry, expected) => {
    const logins = open({ auths: { 'registry.example.com': entry } })
    expect(login(logins, 'registry.example.com')).toEqual({ serveraddress: 'registry.example.com', ...expected })
  })

  it('are for exactly the host and port that the key names', () => {
    const logins = open({
      auths: { 'example.com:5000': { auth: basic('anna') }, 'https://old.net/v1/': { auth: basic('b') } },
    })
    for (const other of ['example.com', 'example.com:5001', 'a.example.com:5000', 'example.com:50000', 'docker.io']) {
      expect(login(logins, other)).toBeUndefined()
    }
    expect(login(logins, 'EXAMPLE.com:5000')).toBeDefined()
    expect(login(logins, 'old.net')).toMatchObject({ username: 'b' })
  })

  it("know Docker's own registry by each of its names", () => {
    const logins = open({ auths: { 'https://index.docker.io/v1/': { auth: basic('anna') } } })
    const expected = { serveraddress: 'https://index.docker.io/v1/', username: 'anna', password: SECRET }
    for (const name of ['docker.io', 'index.docker.io', 'registry-1.docker.io']) {
      expect(login(logins, name)).toEqual(expected)
    }
  })

  it('hold from the moment at which the file is another one', () => {
    const logins = open({ auths: { 'example.com': { auth: basic('anna') } } })
    expect(login(logins, 'example.com')).toMatchObject({ username: 'anna' })
    writeFileSync(`${file}.new`, JSON.stringify({ auths: { 'example.com': { auth: basic('bela') } } }), { mode: 0o600 })
    renameSync(`${file}.new`, file)
    expect(login(logins, 'example.com')).toMatchObject({ username: 'bela' })
    chmodSync(file, 0o640)
    expect(logins.of('example.com')).toMatchObject({ ok: false })
  })

  const entry = { auth: basic('anna') }
  it.each<[string, unknown, number?]>([
    ['can be read by others than its owner', { auths: {} }, 0o604],
    ['can be read by others than its owner', { auths: {} }, 0o640],
    ["is not in the form of Docker's config.json", `{"auths":{"example.com":{"auth":"${SECRET}`],
    ["is not in the form of Docker's config.json", { auths: { 'example.com': SECRET } }],
    ['names a credential helper', { auths: {}, credsStore: 'desktop' }],
    ['names a credential helper', { auths: {}, credHelpers: { 'example.com': 'ecr-login' } }],
    ['names no registry in entry 1', { auths: { [`anna:${SECRET}@example.com`]: entry } }],
    ['names no registry in entry 1', { auths: { 'http://example.com': entry } }],
    ['names no registry in entry 2', { auths: { 'a.com': entry, 'example.com/path': entry } }],
    ['names the registry example.com twice', { auths: { 'example.com': entry, 'https://example.com/v2/': entry } }],
    ['holds no login for example.com', { auths: { 'example.com': {} } }],
    ['holds no login for example.com', { auths: { 'example.com': { auth: Buffer.from(SECRET).toString('base64') } } }],
  ])('are refused with a sentence when the file %s', (sentence, content, mode) => {
    const logins = open(content, mode)
    const answer = logins.of('example.com')
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(sentence) as string })
    expect(JSON.stringify(answer)).not.toMatch(/Pa55/)
    expect(() => logins.assertUsable()).toThrow(sentence)
  })

  it('are refused with a sentence when there is no such file, or it is a folder', () => {
    const missing = new RegistryLogins(file, { read: readProtectedFile, uid: 0 })
    expect(() => missing.assertUsable()).toThrow('cannot be read: ENOENT.')
    const folder = new RegistryLogins(path.dirname(file), { read: readProtectedFile, uid: 0 })
    expect(() => folder.assertUsable()).toThrow('is no file.')
  })

  it('are refused when the file is neither of root nor of the agent', () => {
    const read = () => ({ text: '{"auths":{}}', isFile: true, mode: 0o600, uid: 1_234 })
    expect(() => new RegistryLogins(file, { read, uid: 0 }).assertUsable()).toThrow(
      "neither root's nor the agent's own",
    )
    new RegistryLogins(file, { read, uid: 1_234 }).assertUsable()
  })
})

describe('what an engine says of a pull', () => {
  const anna = { serveraddress: 'example.com', username: 'anna', password: SECRET }
  const explain = (message: string) => explainPull(message, 'example.com', anna)

  test.each([
    ['unauthorized: authentication required', 'refused this node'],
    ['denied: the token has expired', 'refused this node'],
    ['received unexpected HTTP status: 403 Forbidden', 'refused this node'],
    ['Get "http://example.com/token?account=anna&service=x": dial tcp: connection refused', 'could not check'],
    ['manifest unknown', 'manifest unknown'],
  ])('%s is told as: %s', (message, sentence) => {
    expect(explain(message)).toContain(sentence)
    expect(explain(message)).not.toContain('account=anna')
  })

  test.each([
    "pull access denied, may require 'docker login'",
    'Get "http://example.com/v2/x/manifests/y": no basic auth credentials',
  ])('a registry that wants a login that the node has not is told as that: %s', (message) => {
    expect(explainPull(message, 'example.com', undefined)).toContain('this node has none for it')
  })

  test('a registry that sends the secret back, in any form, does not get it shown', () => {
    const forms = [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), basic('anna')]
    for (const form of forms) {
      expect(explain(`denied: you sent ${form}.`)).toContain('you sent [redacted].')
      expect(explain(`denied: you sent Basic ${form}`)).not.toContain(form)
    }
    expect(explain('denied: Bearer abc.def-ghi')).not.toContain('abc.def')
    const token = { serveraddress: 'example.com', identitytoken: 'a-secret-token' }
    expect(explainPull('denied: a-secret-token', 'example.com', token)).not.toContain('a-secret-token')
  })
})
