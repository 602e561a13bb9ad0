/** How an action reached us: by the panel's page, by SFTP, by the API without a browser, or by a timer of ours. */
export const ACTIVITY_WAYS = ['panel', 'sftp', 'api', 'timer'] as const
export type ActivityWay = (typeof ACTIVITY_WAYS)[number]
