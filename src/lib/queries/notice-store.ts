import type { Notification } from '#contracts/http/notification.ts'

/** Whether the list has it, or newer words of it: events arrive again, and then in any order. */
const isKnown = (list: readonly Notification[], { id }: Notification): boolean =>
  list.some((known) => known.id === id || known.data.replaces === id)

/**
 * The list, newest first, with one more entry, and without the one that it stands for as well; a known one changes nothing. Ids of version 7
 * sort by time.
 */
export const withNotice = (list: readonly Notification[], notice: Notification): Notification[] =>
  isKnown(list, notice)
    ? [...list]
    : [notice, ...list.filter(({ id }) => id !== notice.data.replaces)].toSorted((a, b) =>
        a.id < b.id ? 1 : a.id > b.id ? -1 : 0,
      )

/** The list with everything up to `upTo` read at `readAt`; earlier read times stay. */
export const withReadUpTo = (list: readonly Notification[], upTo: string, readAt: string): Notification[] =>
  list.map((notice) => (notice.readAt === null && notice.id <= upTo ? { ...notice, readAt } : notice))

export const unreadOf = (list: readonly Notification[]): Notification[] => list.filter(({ readAt }) => readAt === null)
