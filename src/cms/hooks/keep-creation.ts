import type { CollectionBeforeChangeHook } from 'payload'

/** An account's creation time is a fact that nobody can set, not even administrators (security case 35). */
export const keepCreation: CollectionBeforeChangeHook = ({ data, operation, originalDoc }) =>
  operation === 'update' ? { ...data, createdAt: originalDoc?.createdAt } : data
