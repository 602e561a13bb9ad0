import type { CollectionBeforeChangeHook } from 'payload'

/** When an account came into being is a fact: nobody sets it, administrators neither (security case 35). */
export const keepCreation: CollectionBeforeChangeHook = ({ data, operation, originalDoc }) =>
  operation === 'update' ? { ...data, createdAt: originalDoc?.createdAt } : data
