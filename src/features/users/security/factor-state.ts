'use client'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { Nothing } from '#contracts/primitives.ts'
import {
  FactorOnAnswer,
  PasskeyChallenge,
  RecoveryCodesAnswer,
  SecondFactorState,
  TotpSetup,
} from '#contracts/http/second-factor.ts'
import type { ProofRequest } from '#contracts/http/second-factor.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

const KEY = ['second-factor'] as const

export const factorQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call('/api/user/2fa', { schema: SecondFactorState, signal }),
  })

/** Refetches the state, and everything on the page that depends on it. */
export const useFactorChanged = () => {
  const client = useQueryClient()
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: KEY }), client.invalidateQueries({ queryKey: keys.me })])
  }
}

const post = 'POST' as const

/** The calls that change the second factor. Each throws ApiFailure. */
export const factorCalls = {
  setUp: (body: ProofRequest) => api.call('/api/user/2fa/setup', { method: post, body, schema: TotpSetup }),
  turnOn: (code: string) => api.call('/api/user/2fa/enable', { method: post, body: { code }, schema: FactorOnAnswer }),
  turnOff: (body: ProofRequest) => api.call('/api/user/2fa/disable', { method: post, body, schema: Nothing }),
  renewCodes: (body: ProofRequest) =>
    api.call('/api/user/2fa/recovery-codes', { method: post, body, schema: RecoveryCodesAnswer }),
  removePasskey: (id: string, body: ProofRequest) =>
    api.call(`/api/user/passkeys/${id}/remove`, { method: post, body, schema: Nothing }),
  renamePasskey: (id: string, name: string) =>
    api.call(`/api/user/passkeys/${id}`, { method: 'PATCH', body: { name }, schema: Nothing }),
}

type CreationOptions = import('@simplewebauthn/browser').PublicKeyCredentialCreationOptionsJSON

/**
 * Lets the browser create a passkey and adds it. Resolves with new recovery codes, if the person had none, and with
 * undefined if the browser's window was dismissed.
 */
export const addPasskey = async (proof: ProofRequest, name: string): Promise<readonly string[] | null | undefined> => {
  const begun = await api.call('/api/user/passkeys/options', { method: post, body: proof, schema: PasskeyChallenge })
  // The passkey library is loaded only when it is used.
  const { startRegistration } = await import('@simplewebauthn/browser')
  const made = await startRegistration({ optionsJSON: begun.options as unknown as CreationOptions }).catch(
    () => undefined,
  )
  if (!made) return undefined
  const { clientDataJSON, attestationObject, transports } = made.response
  const response = {
    id: made.id,
    rawId: made.rawId,
    type: made.type,
    response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) },
  }
  const body = { challenge: begun.challenge, name, response }
  return (await api.call('/api/user/passkeys', { method: post, body, schema: FactorOnAnswer })).recoveryCodes
}
