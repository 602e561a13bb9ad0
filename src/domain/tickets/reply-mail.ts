/** A reply of staff is mailed to its customers when they have not read it after this time, in milliseconds: whoever sits at the page needs no mail. */
export const REPLY_MAIL_AFTER_MS = 3 * 60_000
/** For how long the mail is worth sending, in milliseconds. */
export const REPLY_MAIL_LIFE_MS = 3 * 86_400_000
