import { afterAll, beforeAll, expect, test } from 'vitest'
import { askForEmailChange, confirmEmailChange } from '../../../src/identity/accounts/change-email.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import type { IdentityContext } from '../../../src/identity/context/context.ts'
import { createSealer } from '../../../src/identity/context/sealing.ts'
import { createSigningKeys } from '../../../src/identity/context/signing-keys.ts'
import { addPasskey, beginPasskey } from '../../../src/identity/factors/add-passkey.ts'
import { verifyAccessToken } from '../../../src/identity/keys/access-tokens.ts'
import { SoftwareAuthenticator } from '../../support/authenticator.ts'
import { createIdentity, SEAL_SECRET } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, signedIn, somewhere } from '../../support/people.ts'
import { openMailbox, tokenOf } from '../../support/site-mails.ts'

// A failure of ours is none of the refusals that a person may hear: it is thrown, logged and answered as a failure.
let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const FAILURE = 'the disk is full'
const fail = () => Promise.reject(new Error(FAILURE))
/** The same context, whose transactions fail. */
const failing = (): IdentityContext => ({ ...site.context, db: { ...site.context.db, transaction: fail } })

test('a registration that fails does not say that the name is taken', async () => {
  const wish = { username: 'unlucky', email: 'unlucky@example.test', password: PASSWORD, language: 'en' } as const
  await expect(register(failing(), wish, somewhere())).rejects.toThrow(FAILURE)
  expect(await register(site.context, wish, somewhere())).toMatchObject({ ok: true })
})

test('a change of address that fails does not say that the address is taken, and its link stays valid', async () => {
  const { username } = await newPerson(site, 'mover')
  const { person } = await signedIn(site, username)
  const email = `${username}-new@example.test`
  await askForEmailChange(site.context, { person, email, password: PASSWORD, requestId: 'r' }, somewhere())
  const token = tokenOf(await openMailbox(site).newest('email-change', email))
  await expect(confirmEmailChange(failing(), token)).rejects.toThrow(FAILURE)
  expect(await confirmEmailChange(site.context, token)).toMatchObject({ ok: true })
})

test('a passkey that cannot be stored is not called refused', async () => {
  const { username } = await newPerson(site, 'keyless')
  const { person } = await signedIn(site, username)
  const host = { id: 'bakter.test', origin: 'https://bakter.test' }
  const wish = { person, password: PASSWORD, code: undefined, site: host, browser: null }
  const begun = await beginPasskey(site.context, wish, somewhere())
  if (!begun.ok) throw new Error(begun.code)
  const { challenge, options } = begun
  const response = new SoftwareAuthenticator().create({
    challenge: options.challenge,
    origin: host.origin,
    rpId: host.id,
    userHandle: options.user.id,
  })
  const added = { person, site: host, challenge, response, name: 'Key' }
  await expect(addPasskey(failing(), added, somewhere())).rejects.toThrow(FAILURE)
})

test('an access token is not called invalid while its key cannot be read', async () => {
  const { username } = await newPerson(site, 'bearer')
  const { tokens } = await signedIn(site, username)
  const keys = { signing: fail, verifying: fail }
  await expect(verifyAccessToken(tokens.accessToken, { nowMs: site.clock.now(), keys })).rejects.toThrow(FAILURE)
})

test('keys are read again after a first reading that failed', async () => {
  let isDown = true
  const db = {
    ...site.parts.db,
    query: <Row extends object>(text: string, values?: readonly unknown[]) =>
      isDown ? fail() : site.parts.db.query<Row>(text, values),
  }
  const sealer = createSealer({ ...site.parts, db })
  const keys = createSigningKeys({ ...site.parts, db, sealer: createSealer(site.parts), olderSecret: SEAL_SECRET })
  const place = { table: 'x', column: 'y', row: 'z' }
  await expect(sealer.seal(Buffer.from('plain'), place)).rejects.toThrow(FAILURE)
  await expect(keys.signing()).rejects.toThrow(FAILURE)
  isDown = false
  expect((await sealer.open(await sealer.seal(Buffer.from('plain'), place), place)).toString()).toBe('plain')
  expect(await keys.signing()).toMatchObject({ kid: expect.any(String) })
})
