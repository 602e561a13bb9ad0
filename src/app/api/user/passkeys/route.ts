import { addPasskey } from '@/identity/factors/add-passkey.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { announceEnded, browserSecrets, personOf, refused, sitePasskeys } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/passkeys', async (call) => {
  const { challenge, name } = call.input
  const { transports, ...attestation } = call.input.response.response
  const response = {
    ...call.input.response,
    clientExtensionResults: {},
    response: { ...attestation, ...(transports === undefined ? {} : { transports }) },
  }
  const shown = { token: challenge, browser: browserSecrets(call.headers).browser }
  const added = { person: personOf(call), site: sitePasskeys(), challenge: shown, response, name }
  const answer = await addPasskey(identity(), added, call)
  if (!answer.ok) throw refused(answer)
  await announceEnded(call.subject.userId, answer.endedSessions, call.requestId)
  return { body: { recoveryCodes: answer.recoveryCodes === null ? null : [...answer.recoveryCodes] } }
})
