import type { Notification } from '#contracts/http/notification.ts'

/**
 * The list, newest first, with one more entry, and without the one that it stands for as well; a known id changes nothing. Ids of version 7 sort
 * by time.
 */
export const withNotice = (list: readonly Notification[], notice: Notification): Notification[] => {
  if (list.some(({ id }) => id === notice.id)) return [...list]
  const others = list.filter(({ id }) => id !== notice.data.replaces)
  return [notice, ...others].toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0))
}

/** The list with everything up to `upTo` read at `readAt`; earlier read times stay. */
export const withReadUpTo = (list: readonly Notification[], upTo: string, readAt: string): Notification[] =>
  list.map((notice) => (notice.readAt === null && notice.id <= upTo ? { ...notice, readAt } : notice))

export const unreadOf = (list: readonly Notification[]): Notification[] => list.filter(({ readAt }) => readAt === null)
