import type { FileRefusal } from '#contracts/panel/file-refusals.ts'

/** Refusals in English, for programs; pages say them in their own words. */
export const MESSAGES: Partial<Readonly<Record<FileRefusal, string>>> = {
  INVALID_PATH: 'This is not a path.',
  INVALID_TOKEN: 'The token is not valid here, or no longer.',
  FORBIDDEN: 'A permission is missing.',
  SEEING_AS: 'Nothing can be changed while looking as a collaborator.',
  READ_ONLY: 'The files of this server can only be read at the moment.',
  NOT_FOUND: 'There is nothing here.',
  BUSY: 'Too much is going on here. Try again in a few seconds.',
  NO_SPACE: 'The storage of this server is full.',
  NODE_FULL: 'The disk of this machine is almost full.',
}
