import type { Caller } from '#contracts/internal-api/calls.ts'
import { changeNoticeSettings, readNoticeSettings } from '../messages/notices/notice-settings.ts'
import { forgetBrowsers, noteSeen, subscribePush } from '../messages/push/push-subscriptions.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { markNotificationsRead } from '../messages/notices/mark-notices.ts'
import { listNotifications } from '../messages/notices/read-notices.ts'

type NoticeCallName =
  | 'notifications'
  | 'read-notifications'
  | 'browser-seen'
  | 'notification-settings'
  | 'change-notification-settings'
  | 'subscribe-push'
  | 'unsubscribe-push'

/** A browser is identified by its session; a caller without one has no browser. */
const sessionOf = ({ userId, sessionId }: Caller): { userId: string; sessionId: string } => {
  if (sessionId === null) throw new ApiRefusal('FORBIDDEN')
  return { userId, sessionId }
}

/** Calls about one's own notifications and their channels. */
export function noticeCalls({ context, pushPublicKey }: ApiDeps): Pick<InternalCalls, NoticeCallName> {
  const settingsOf = (caller: Caller) => readNoticeSettings(context.db, caller, pushPublicKey)
  return {
    notifications: async ({ caller, ...page }) => {
      const { userId, sessionId } = caller
      // A site of the previous release reports it by no other call.
      if (sessionId !== null) await noteSeen(context, { userId, sessionId })
      return listNotifications(context.db, { userId, ...page })
    },
    'read-notifications': async ({ caller, upTo }, { requestId }) => {
      await markNotificationsRead(context, { userId: caller.userId, upTo, requestId })
      return {}
    },
    'browser-seen': async ({ caller }) => {
      await noteSeen(context, sessionOf(caller))
      return {}
    },
    'notification-settings': ({ caller }) => settingsOf(caller),
    'change-notification-settings': async ({ caller, matrix }) => {
      await changeNoticeSettings(context, { who: caller, matrix })
      return settingsOf(caller)
    },
    'subscribe-push': async ({ caller, subscription }) => {
      const answer = await subscribePush(context, { session: sessionOf(caller), subscription })
      if (!answer.ok) throw new ApiRefusal(answer.code)
      return settingsOf(caller)
    },
    'unsubscribe-push': async ({ caller }) => {
      await forgetBrowsers(context.db, sessionOf(caller))
      return settingsOf(caller)
    },
  }
}
