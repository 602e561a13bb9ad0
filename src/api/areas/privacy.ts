import { setCookie } from '../../identity/sessions/cookies.ts'
import { discordSetting, identity } from '../../identity/dependencies.ts'
import { beginDiscordLink, readDiscordLink, unlinkDiscord } from '../../identity/accounts/discord-link.ts'
import { exportOf, permitExport } from '../../identity/accounts/export-person.ts'
import {
  isLastAdministrator,
  leaveAccount,
  undoByChallenge,
  undoByLink,
} from '../../identity/accounts/leave-account.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { nextPath } from '../../lib/navigation/next-path.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import { announceEnded, browserSecrets, personOf, refused } from '../person.ts'
import { clearedCookies } from '../session.ts'
import type { ApiArea } from '../api-call.ts'

/** Personal data: the Discord link, the export and the deletion. */
export const privacyArea = {
  'POST /api/auth/deletion/undo': async (call) => {
    const { token, challenge } = call.input
    if ((token === undefined) === (challenge === undefined)) throw new ApiError('BAD_REQUEST')
    const shown = { token: challenge ?? '', browser: browserSecrets(call.headers).browser }
    const answer =
      token === undefined ? await undoByChallenge(identity(), shown, call) : await undoByLink(identity(), token, call)
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
  'GET /api/user/deletion': async (call) => ({
    body: {
      ...(await askControlPlane('departure', {}, call)),
      isLastAdministrator: await isLastAdministrator(identity().db, call.subject.userId),
    },
  }),
  'POST /api/user/deletion': async (call) => {
    const { password, code, waiveBalanceFt = 0, giveUpServers = false } = call.input
    const figures = await askControlPlane('departure', {}, call)
    const waiver = { balanceFt: waiveBalanceFt, servers: giveUpServers }
    const wish = { person: personOf(call), password, code, waiver, figures, requestId: call.requestId }
    const answer = await leaveAccount(identity(), wish, call)
    if (!answer.ok) throw refused(answer)
    await announceEnded(call.subject.userId, answer.endedSessions, call.requestId)
    return { body: { eraseAt: answer.eraseAt.toISOString() }, cookies: clearedCookies() }
  },
  'GET /api/user/discord': async ({ subject }) => {
    const [link, setting] = await Promise.all([readDiscordLink(identity().db, subject.userId), discordSetting()])
    return {
      body: {
        available: setting !== null,
        link: link && { name: link.name, linkedAt: link.linkedAt.toISOString() },
      },
    }
  },
  'POST /api/user/discord': async ({ subject, input }) => {
    const setting = await discordSetting()
    if (setting === null) throw new ApiError('DISCORD_UNAVAILABLE')
    const { url, browser } = await beginDiscordLink(identity(), setting, { subject, next: nextPath(input.next) })
    return { body: { url }, cookies: [setCookie('discord', browser, siteSettings().isSecure)] }
  },
  'DELETE /api/user/discord': async (call) => {
    await unlinkDiscord(identity(), call.subject.userId, call)
    return { body: {} }
  },
  'POST /api/user/export': async (call) => {
    const { password, code } = call.input
    const answer = await permitExport(identity(), { person: personOf(call), password, code }, call)
    if (!answer.ok) throw refused(answer)
    const chunks = exportOf(identity(), answer, (ask) => askControlPlane('export-person', ask, call))
    return { download: { fileName: `bakter-${answer.username}.json`, chunks } }
  },
} satisfies ApiArea
