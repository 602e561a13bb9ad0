import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { FaultPoint } from '../platform/fault-point.ts'
import type { AcmeClient } from './acme-client.ts'
import { DirectoryError } from './directory-error.ts'
import { externalBinding } from './jws.ts'
import type { AcmeSettings } from './settings.ts'
import type { AcmeStore } from './store.ts'

/** The signer of requests: the key and the address of its account. */
export interface Signer {
  readonly key: KeyObject
  readonly account: string
}

/** Problems that mean that the account no longer works at the authority: deleted, expired or deactivated. */
const GONE = new Set(['accountDoesNotExist', 'unauthorized'])

/** A P-256 key in PEM format, for an account or a certificate. */
export const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export interface AccountDeps {
  readonly client: AcmeClient
  readonly store: AcmeStore
  readonly settings: AcmeSettings
  readonly faults: FaultPoint
}

/**
 * The account at the authority, created if there is none. The key is on disk before the authority receives it, so that
 * an agent killed in between finds its account again (newAccount with the same key returns it).
 */
const openAccount = async ({ client, store, settings, faults }: AccountDeps): Promise<Signer> => {
  const { directory, email, externalAccount } = settings
  const stored = store.account(directory) ?? { directory, key: newKey(), url: null }
  const key = createPrivateKey(stored.key)
  if (stored.url !== null) return { key, account: stored.url }
  store.writeAccount(stored)
  await faults('acme.key')
  const { newAccount, meta } = await client.directory()
  if (meta?.externalAccountRequired === true && externalAccount === undefined) {
    const sentence = `The authority at ${client.host} wants AGENT_ACME_EAB_KID and AGENT_ACME_EAB_HMAC.`
    throw new DirectoryError(sentence, { problem: 'externalAccountRequired' })
  }
  const answer = await client.post({ key, account: undefined }, newAccount, {
    termsOfServiceAgreed: true,
    ...(email === undefined ? {} : { contact: [`mailto:${email}`] }),
    ...(externalAccount === undefined
      ? {}
      : { externalAccountBinding: await externalBinding(key, newAccount, externalAccount) }),
  })
  const { location } = answer.headers
  if (location === undefined) throw new DirectoryError(`The authority at ${client.host} names no account.`)
  const url = new URL(location, newAccount).href
  await faults('acme.account')
  store.writeAccount({ ...stored, url })
  return { key, account: url }
}

/** Runs work that needs an account. An account that no longer works is replaced by a new one, once. */
export const withAccount = async <T>(deps: AccountDeps, action: (signer: Signer) => Promise<T>): Promise<T> => {
  const isKnown = typeof deps.store.account(deps.settings.directory)?.url === 'string'
  try {
    return await action(await openAccount(deps))
  } catch (error) {
    const isGone = error instanceof DirectoryError && GONE.has(error.problem ?? '')
    if (!isKnown || !isGone) throw error
  }
  deps.store.forgetAccount()
  return action(await openAccount(deps))
}
