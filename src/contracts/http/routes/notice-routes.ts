import { NotificationSettings, NotificationSettingsChange, PushSubscribe } from '../notification-settings.ts'

/** Rows of the API table: the ways that notifications take. */
export const NOTICE_ROUTES = {
  'GET /api/user/notifications/settings': {
    summary: 'Which notifications also come by mail and as a push',
    auth: 'user',
    limit: 'read',
    call: 'notification-settings',
    output: NotificationSettings,
  },
  'PUT /api/user/notifications/settings': {
    summary: 'Choose which notifications also come by mail and as a push',
    auth: 'user',
    limit: 'notificationSettings',
    input: NotificationSettingsChange,
    call: 'change-notification-settings',
    output: NotificationSettings,
  },
  'POST /api/user/notifications/push': {
    summary: 'Send pushes to the browser of this session',
    auth: 'user',
    limit: 'notificationSettings',
    input: PushSubscribe,
    call: 'subscribe-push',
    inputAs: 'subscription',
    output: NotificationSettings,
  },
  'POST /api/user/notifications/push/remove': {
    summary: 'Send no more pushes to the browser of this session',
    auth: 'user',
    limit: 'notificationSettings',
    call: 'unsubscribe-push',
    output: NotificationSettings,
  },
} as const
