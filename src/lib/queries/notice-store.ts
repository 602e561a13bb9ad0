import type { Notification } from '#contracts/http/notification.ts'
import { isEarlierCrash } from '#domain/notifications/crash-notice.ts'

const saysTheSame = (one: Notification, other: Notification): boolean =>
  JSON.stringify(one.data) === JSON.stringify(other.data)

/** Whether the list has newer words of it: events arrive again, and then in any order. */
const isOutdated = (list: readonly Notification[], { id, data }: Notification): boolean =>
  list.some((known) => known.data.replaces === id || (known.id === id && isEarlierCrash(known.data, data)))

/**
 * The list, newest first, with one more entry, and without the one that it stands for as well. A known id with other words replaces the
 * entry, unless they are older. Ids of version 7 sort by time.
 */
export const withNotice = (list: readonly Notification[], notice: Notification): Notification[] => {
  if (isOutdated(list, notice)) return [...list]
  const others = list.filter(({ id }) => id !== notice.data.replaces)
  return others.some(({ id }) => id === notice.id)
    ? others.map((known) => (known.id === notice.id && !saysTheSame(known, notice) ? notice : known))
    : [notice, ...others].toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0))
}

/** The list with everything up to `upTo` read at `readAt`; earlier read times stay. */
export const withReadUpTo = (list: readonly Notification[], upTo: string, readAt: string): Notification[] =>
  list.map((notice) => (notice.readAt === null && notice.id <= upTo ? { ...notice, readAt } : notice))

export const unreadOf = (list: readonly Notification[]): Notification[] => list.filter(({ readAt }) => readAt === null)
