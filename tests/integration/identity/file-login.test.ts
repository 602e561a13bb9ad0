import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { MAX_FILE_KEYS } from '#contracts/http/file-access.ts'
import type { FileLoginAnswer } from '#contracts/logins/file-login.ts'
import { changePassword } from '../../../src/identity/accounts/change-password.ts'
import { addAppPassword, listAppPasswords, removeAppPassword } from '../../../src/identity/file-access/app-passwords.ts'
import { checkFileLogins, fileLogin } from '../../../src/identity/file-access/file-login.ts'
import { addSshKey, listSshKeys, removeSshKey } from '../../../src/identity/file-access/ssh-keys.ts'
import { setUpTotp, turnTotpOn } from '../../../src/identity/factors/factor-setup.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, signedIn, somewhere } from '../../support/people.ts'
import { openMailbox } from '../../support/site-mails.ts'
import { codeAt } from '../../support/totp-code.ts'

let site: TestIdentity
let folder: string
beforeAll(async () => {
  site = await createIdentity()
  folder = fs.mkdtempSync(path.join(tmpdir(), 'bakter-file-login-'))
})
afterAll(async () => {
  fs.rmSync(folder, { recursive: true })
  await site.close()
})

let keys = 0
const newKey = (): string => {
  const file = path.join(folder, `key-${(keys += 1)}`)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'anna@laptop', '-f', file])
  return fs.readFileSync(`${file}.pub`, 'utf8')
}
const blobOf = (line: string): string => line.split(' ')[1] ?? ''

const someone = async (name: string) => {
  const { userId, username } = await newPerson(site, name)
  const { person } = await signedIn(site, username)
  return { userId, username, person }
}
const withPassword = (username: string, password: string) =>
  fileLogin(site.context, { username, address: somewhere().address, proof: { password } })
const withKey = (username: string, line: string) =>
  fileLogin(site.context, { username, address: somewhere().address, proof: { publicKey: blobOf(line) } })
const isOpen = async (answer: FileLoginAnswer): Promise<boolean> => {
  if (!answer.ok) return false
  const { userId, credential } = answer
  return (await checkFileLogins(site.context, { logins: [{ userId, credential }] })).grants[0] !== null
}

describe('a sign-in at a node', () => {
  test('by the password of the account works, and ends when the password changes', async () => {
    const { userId, username, person } = await someone('plain')
    const answer = await withPassword(username, PASSWORD)
    expect(answer).toMatchObject({ ok: true, userId, isAdmin: false, credential: { kind: 'password', id: null } })
    expect(await isOpen(answer)).toBe(true)
    expect(await withPassword(username, 'wrong')).toEqual({ ok: false, why: 'refused', named: userId })
    expect(await withPassword('nobody-at-all', PASSWORD)).toEqual({ ok: false, why: 'refused' })
    expect(await withPassword(`${username}@example.test`, PASSWORD)).toEqual({ ok: false, why: 'refused' })
    site.clock.set(site.clock.now() + 1_000)
    const change = { person, currentPassword: PASSWORD, password: 'another good password 1', code: undefined }
    expect(await changePassword(site.context, change, somewhere())).toMatchObject({ ok: true })
    expect(await isOpen(answer)).toBe(false)
  })

  test('by a key works for its owner alone, is noted, and ends when the key is removed', async () => {
    const [anna, other] = [await someone('anna'), await someone('other')]
    const line = newKey()
    const request = { name: 'Laptop', publicKey: line, password: PASSWORD }
    expect(await addSshKey(site.context, { person: anna.person, request }, somewhere())).toEqual({ ok: true })
    const answer = await withKey(anna.username, line)
    expect(answer).toMatchObject({ ok: true, userId: anna.userId, credential: { kind: 'ssh key' } })
    expect(await withKey(other.username, line)).toEqual({ ok: false, why: 'refused' })
    const [entry] = await listSshKeys(site.context.db, anna.userId)
    const shown = execFileSync('ssh-keygen', ['-lf', path.join(folder, `key-${keys}.pub`)], { encoding: 'utf8' })
    expect(shown).toContain(entry?.fingerprint)
    expect(entry).toMatchObject({ name: 'Laptop', algorithm: 'ssh-ed25519', lastUsedAt: expect.any(String) })
    expect(await isOpen(answer)).toBe(true)
    const id = entry?.id ?? ''
    expect(await removeSshKey(site.context.db, { userId: other.userId, id })).toBe(false)
    expect(await removeSshKey(site.context.db, { userId: anna.userId, id })).toBe(true)
    expect([await isOpen(answer), await withKey(anna.username, line)]).toEqual([false, { ok: false, why: 'refused' }])
  })

  test('of an account with a second factor needs an app password, which its own password does not replace', async () => {
    const { userId, username, person } = await someone('careful')
    const open = await withPassword(username, PASSWORD)
    const setup = await setUpTotp(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
    if (!setup.ok) throw new Error(setup.code)
    await turnTotpOn(site.context, { person, code: await codeAt(setup.secret, site.clock.now()) }, somewhere())
    expect(await isOpen(open)).toBe(false)
    expect(await withPassword(username, PASSWORD)).toEqual({ ok: false, why: 'app password' })
    expect(await withPassword(username, 'wrong')).toEqual({ ok: false, why: 'refused', named: userId })
    const made = await addAppPassword(
      site.context,
      { person, request: { name: 'WinSCP', password: PASSWORD } },
      somewhere(),
    )
    if (!made.ok) throw new Error(made.code)
    expect(made.password).toMatch(/^([a-z2-9]{5}-){4}[a-z2-9]{5}$/)
    const answer = await withPassword(username, made.password)
    expect(answer).toMatchObject({ ok: true, userId, credential: { kind: 'app password' } })
    const [entry] = await listAppPasswords(site.context.db, userId)
    expect(entry).toMatchObject({ name: 'WinSCP', lastUsedAt: expect.any(String) })
    const stored = await site.context.db.query<{ row: string }>(
      'select t::text as row from identity.app_passwords t where user_id = $1',
      [userId],
    )
    expect(stored[0]?.row).not.toContain(made.password)
    await removeAppPassword(site.context.db, { userId, id: entry?.id ?? '' })
    expect([await isOpen(answer), await withPassword(username, made.password)]).toEqual([
      false,
      { ok: false, why: 'refused', named: userId },
    ])
  })

  test('of a suspended person is refused, and an open one ends', async () => {
    const { userId, username } = await someone('suspended')
    const answer = await withPassword(username, PASSWORD)
    await site.context.db.query('update public.users set suspended = true where id = $1', [userId])
    expect([await isOpen(answer), await withPassword(username, PASSWORD)]).toEqual([
      false,
      { ok: false, why: 'refused' },
    ])
  })

  test('is counted like one at the site: guesses end in "too many", whichever door they use', async () => {
    const { username } = await someone('guessed')
    const origin = somewhere()
    const guess = () => fileLogin(site.context, { username, address: origin.address, proof: { password: 'guess' } })
    const answers: FileLoginAnswer[] = []
    for (let index = 0; index < 40; index += 1) answers.push(await guess())
    expect(answers.at(-1)).toEqual({ ok: false, why: 'too many' })
    expect(answers.filter((answer) => !answer.ok && answer.why === 'refused').length).toBeLessThan(30)
  })

  test('of one account is counted over all addresses too', async () => {
    const { username } = await someone('sprayed')
    const guess = () =>
      fileLogin(site.context, { username, address: somewhere().address, proof: { password: 'guess' } })
    let answer = await guess()
    for (let index = 0; index < 300 && !answer.ok && answer.why === 'refused'; index += 1) answer = await guess()
    expect(answer).toEqual({ ok: false, why: 'too many' })
  })
})

describe('a key', () => {
  test('is added only by its person, once, in a form that opens SFTP, and twenty at most; a mail says so', async () => {
    const mails = openMailbox(site)
    const { userId, username, person } = await someone('keys')
    await site.context.db.query('update public.users set verified = true where id = $1', [userId])
    const add = (publicKey: string, password = PASSWORD) =>
      addSshKey(site.context, { person, request: { name: 'Key', publicKey, password } }, somewhere())
    const line = newKey()
    expect(await add(line, 'wrong')).toMatchObject({ ok: false, code: 'WRONG_PASSWORD' })
    expect(await add('ssh-rsa AAAA')).toEqual({ ok: false, code: 'INVALID_SSH_KEY' })
    expect(await add(line)).toEqual({ ok: true })
    expect(await add(line)).toEqual({ ok: false, code: 'KEY_ALREADY_ADDED' })
    expect(await mails.newest('security-change', `${username}@example.test`)).toMatchObject({
      change: 'ssh-key-added',
    })
    const { db, ids, clock } = site.context
    for (let index = 1; index < MAX_FILE_KEYS; index += 1) {
      await db.query(
        `insert into identity.ssh_keys (id, user_id, name, algorithm, public_key, fingerprint, created_at)
         values ($1, $2, 'Key', 'ssh-ed25519', $3, '', $4)`,
        [ids.next(), userId, `key ${index}`, new Date(clock.now())],
      )
    }
    expect(await add(newKey())).toEqual({ ok: false, code: 'TOO_MANY_KEYS' })
  })
})
