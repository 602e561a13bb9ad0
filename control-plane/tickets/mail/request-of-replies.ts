/** One id for the mails about the replies of a ticket to a person: the next one waits until the mail server has the last one. */
export const requestOfReplies = (ticketId: string, userId: string): string => `ticket:${ticketId}:${userId}`

/** The same of a row of `ticket_mails`. */
export const REQUEST_OF_ROW = `'ticket:' || ticket_id || ':' || user_id`
