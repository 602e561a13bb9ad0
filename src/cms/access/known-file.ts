import type { Where } from 'payload'

/** Public, but only files listed in the collection: a plain `true` would serve any file of the folder by its name. */
export const knownFile = (): Where => ({ filename: { exists: true } })
