import type { Where } from 'payload'

/** Public, but only what the collection lists: a plain `true` would serve any file of the folder by its name. */
export const knownFile = (): Where => ({ filename: { exists: true } })
