import { addPasskey, beginPasskey } from '../../identity/factors/add-passkey.ts'
import { setCookie } from '../../identity/sessions/cookies.ts'
import { identity } from '../../identity/dependencies.ts'
import { renewRecoveryCodes, setUpTotp, turnTotpOff, turnTotpOn } from '../../identity/factors/factor-setup.ts'
import { passkeySite } from '../../identity/factors/passkey-site.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../identity/factors/passkeys.ts'
import { readAccountName } from '../../identity/people/people.ts'
import { readFactors } from '../../identity/sessions/second-factor.ts'
import { totpUri } from '../../identity/factors/totp.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { announceEnded, browserSecrets, personOf, refused, sitePasskeys } from '../person.ts'
import { qrPicture } from '../qr-picture.ts'
import type { ApiArea } from '../api-call.ts'

/** The second factor of an account: codes of an app, passkeys and recovery codes. */
export const secondFactorArea = {
  'POST /api/user/2fa/disable': async (call) => {
    const { password, code } = call.input
    const answer = await turnTotpOff(identity(), { person: personOf(call), password, code }, call)
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
  'POST /api/user/2fa/enable': async (call) => {
    const answer = await turnTotpOn(identity(), { person: personOf(call), code: call.input.code }, call)
    if (!answer.ok) throw refused(answer)
    await announceEnded(call.subject.userId, answer.endedSessions, call.requestId)
    return { body: { recoveryCodes: answer.recoveryCodes === null ? null : [...answer.recoveryCodes] } }
  },
  'POST /api/user/2fa/recovery-codes': async (call) => {
    const { password, code } = call.input
    const answer = await renewRecoveryCodes(identity(), { person: personOf(call), password, code }, call)
    if (!answer.ok) throw refused(answer)
    return { body: { recoveryCodes: [...answer.recoveryCodes] } }
  },
  'GET /api/user/2fa': async ({ subject }) => {
    const { db } = identity()
    const [{ totp, recoveryCodesLeft, isRequired }, passkeys] = await Promise.all([
      readFactors(db, subject.userId),
      listPasskeys(db, subject.userId),
    ])
    return {
      body: {
        totp,
        recoveryCodesLeft,
        required: isRequired,
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
        passkeysAvailable: passkeySite(siteSettings().siteUrl) !== null,
      },
    }
  },
  'POST /api/user/2fa/setup': async (call) => {
    const { password, code } = call.input
    const answer = await setUpTotp(identity(), { person: personOf(call), password, code }, call)
    if (!answer.ok) throw refused(answer)
    const { hostName, username } = await readAccountName(identity().db, call.subject.userId)
    const uri = totpUri({ issuer: hostName, label: username, secret: answer.secret })
    return { body: { secret: answer.secret, uri, qr: qrPicture(uri) } }
  },
  'POST /api/user/passkeys/{id}/remove': async (call) => {
    const { password, code } = call.input
    const removal = { person: personOf(call), id: call.path.id, password, code }
    const answer = await removePasskey(identity(), removal, call)
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
  'PATCH /api/user/passkeys/{id}': async ({ path, input, subject }) => {
    const isTheirs = await renamePasskey(identity().db, { userId: subject.userId, id: path.id, name: input.name })
    if (!isTheirs) throw new ApiError('NOT_FOUND')
    return { body: {} }
  },
  'POST /api/user/passkeys/options': async (call) => {
    const { password, code } = call.input
    const { browser } = browserSecrets(call.headers)
    const wish = { person: personOf(call), password, code, site: sitePasskeys(), browser }
    const answer = await beginPasskey(identity(), wish, call)
    if (!answer.ok) throw refused(answer)
    return {
      body: { challenge: answer.challenge.token, options: { ...answer.options } },
      cookies: [setCookie('challenge', answer.challenge.browser, siteSettings().isSecure)],
    }
  },
  'POST /api/user/passkeys': async (call) => {
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
  },
} satisfies ApiArea
