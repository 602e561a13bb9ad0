import { NotificationSettings, NotificationSettingsChange, PushSubscribe } from '../http/notification-settings.ts'

/** Rows of the API table: the channels of notifications. */
export const NOTICE_ROUTES = {
  'GET /api/user/notifications/settings': {
    summary: 'Get which notifications are also sent by e-mail and push',
    auth: 'user',
    limit: 'read',
    call: 'notification-settings',
    output: NotificationSettings,
  },
  'PUT /api/user/notifications/settings': {
    summary: 'Choose which notifications are also sent by e-mail and push',
    auth: 'user',
    limit: 'notificationSettings',
    input: NotificationSettingsChange,
    call: 'change-notification-settings',
    output: NotificationSettings,
  },
  'POST /api/user/notifications/push': {
    summary: 'Turn on push notifications for the browser of this session',
    auth: 'user',
    limit: 'notificationSettings',
    input: PushSubscribe,
    call: 'subscribe-push',
    inputAs: 'subscription',
    output: NotificationSettings,
  },
  'POST /api/user/notifications/push/remove': {
    summary: 'Turn off push notifications for the browser of this session',
    auth: 'user',
    limit: 'notificationSettings',
    call: 'unsubscribe-push',
    output: NotificationSettings,
  },
} as const
