import { createLocalReq, docAccessOperation, docAccessOperationGlobal } from 'payload'
import type { CollectionSlug, GlobalSlug, Payload } from 'payload'
import { hasStaffGrants } from '../access/grants.ts'

/** The functions that the admin's pages call. Payload's others belong to parts that we do not use. */
const FUNCTIONS: ReadonlySet<unknown> = new Set([
  'form-state',
  'render-document',
  'render-document-slots',
  'render-field',
  'render-list',
  'table-state',
  'copy-data-from-locale',
  'get-default-layout',
  'render-widget',
])

type Fields = Readonly<Record<string, unknown>>

/** A call that may be passed to Payload: nothing else of the sender's is passed. */
export type StaffCall = { readonly name: string; readonly args: Record<string, unknown> }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/**
 * The call as Payload may get it, or null for one that is not staff's or names no function of ours. Payload itself
 * looks the name up with its inheritance, so that `constructor` would return the request with its cookies and account.
 */
export const admittedCall = (asked: unknown, user: unknown): StaffCall | null => {
  if (!hasStaffGrants(user) || !isFields(asked)) return null
  const [name, args] = [own(asked, 'name'), own(asked, 'args') ?? {}]
  if (typeof name !== 'string' || !FUNCTIONS.has(name) || !isFields(args)) return null
  return { name, args: { ...args } }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

type Sender = { readonly payload: Payload; readonly user: unknown }

/** Whether the sender may save the document that the form shows. */
const mayUpdate = async (args: Fields, { payload, user }: Sender): Promise<boolean> => {
  const [collection, global, id] = [own(args, 'collectionSlug'), own(args, 'globalSlug'), own(args, 'id')]
  // Payload's lock would name both, and only one would be checked.
  if (!isAbsent(collection) && !isAbsent(global)) return false
  const req = await createLocalReq({ user: user as never }, payload)
  if (typeof collection === 'string' && Object.hasOwn(payload.collections, collection)) {
    if (typeof id !== 'string') return false
    const known = payload.collections[collection as CollectionSlug]
    return (await docAccessOperation({ collection: known, id, req })).update === true
  }
  const globalConfig = payload.globals.config.find(({ slug }) => slug === (global as GlobalSlug))
  return globalConfig !== undefined && (await docAccessOperationGlobal({ globalConfig, req })).update === true
}

/** Payload locks a document for anybody who opens its form. Here only those who may save it do. */
export const withoutIdleLock = async ({ name, args }: StaffCall, sender: Sender): Promise<StaffCall> => {
  if (!own(args, 'returnLockStatus') || (await mayUpdate(args, sender))) return { name, args }
  return { name, args: { ...args, returnLockStatus: false } }
}
