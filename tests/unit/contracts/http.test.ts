import type * as z from 'zod'
import { expect, test } from 'vitest'
import { LoginRequest, TokenAnswer } from '#contracts/http/auth.ts'
import { Invoice, Transaction } from '#contracts/http/balance.ts'
import { Activity, Notification, NOTIFICATION_KEYS, NotificationList } from '#contracts/http/notification.ts'
import { Server, SubUser } from '#contracts/http/server.ts'
import { Package, Service } from '#contracts/http/service.ts'
import { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { PREMIUM_TIERS, Role, User } from '#contracts/http/user.ts'

type Entity = {
  schema: z.ZodObject
  /** Section 3 of the specification: its words for a field -> the keys that carry it, as paths. */
  fields: Record<string, string>
  /** Keys that the design adds. */
  added?: string
}

const ENTITIES: Record<string, Entity> = {
  User: {
    schema: User,
    fields: {
      username: 'username',
      identifier: 'identifier',
      email: 'email',
      'two-factor flag': 'twoFactor',
      'role (list of role objects with isAdmin and isSupport)': 'role',
      balance: 'balance',
      verified: 'verified',
      'premium tier and expiry': 'premium premiumExpiry',
      profilePictureId: 'profilePictureId',
      spinCount: 'spinCount',
      'contact data': 'contact',
      'invoice type': 'invoiceType',
    },
    added: 'id billing language timeZone',
  },
  'Contact data': {
    schema: User.shape.contact,
    fields: {
      'first name': 'firstName',
      'last name': 'lastName',
      'street and house number': 'streetAndHouseNumber',
      'postal code': 'postalCode',
      city: 'city',
      'phone number': 'phoneNumber',
    },
  },
  Role: {
    schema: Role,
    fields: {
      name: 'name',
      'administrator flag': 'isAdmin',
      'support flag': 'isSupport',
      active: 'active',
      'ticket categories': 'ticketCategories',
      'two-factor required': 'twoFactorRequired',
    },
    added: 'id',
  },
  Ticket: {
    schema: Ticket,
    fields: {
      id: 'id',
      title: 'title',
      'lastMessage.message': 'lastMessage',
      category: 'category',
      status: 'status',
      'opener user': 'opener',
      'admin user': 'admin',
      attachments: 'attachments',
      'added users': 'addedUsers',
    },
    added: 'identifier categoryId createdAt unread mergedInto',
  },
  'lastMessage.message': { schema: Ticket.shape.lastMessage, fields: { message: 'message' }, added: 'createdAt' },
  Server: {
    schema: Server,
    fields: {
      'id (or serverId)': 'id',
      name: 'name',
      description: 'description',
      identifier: 'identifier',
      owner: 'owner',
      'computer/node (url, proxmox_url)': 'computer',
      status: 'status',
      'expiry date': 'expiry',
      'CPU percentage': 'cpuPercent',
      'maximum memory': 'maximumMemoryMiB',
      'maximum storage': 'maximumStorageMiB',
      'number of ports': 'ports',
      'monthly price': 'monthlyPriceFt',
      'docker image': 'dockerImage',
      'startup command': 'startup',
      variables: 'variables',
      'highlighted flag': 'highlighted',
      'suspended flag with reason': 'suspended suspendedReason',
      ip: 'ip',
      port: 'port',
      subusers: 'subusers',
    },
    added: 'permissions serviceName pictures createdAt installation',
  },
  'computer/node': {
    schema: Server.shape.computer,
    fields: { url: 'url', proxmox_url: 'proxmox_url' },
    added: 'name',
  },
  Service: {
    schema: Service,
    fields: {
      name: 'name',
      category: 'category',
      'server template': 'serverTemplate',
      machine: 'machine',
      banner: 'banner',
      icon: 'icon',
      'orderable flag': 'orderable',
      packages: 'packages',
      'resource configuration': 'resources',
      'operating systems (name, template id)': 'operatingSystems',
      'pricing by points': 'points',
    },
    added: 'id slug description highlighted startingPriceFt unavailableReason version players places',
  },
  Package: {
    schema: Package,
    fields: {
      name: 'name',
      description: 'description',
      'server type': 'serverType',
      'price per month': 'pricePerMonthFt',
      'CPU percent': 'cpuPercent',
      'RAM GB': 'ramMiB',
      'storage GB': 'storageMiB',
      orderable: 'orderable',
    },
    added: 'id highlighted',
  },
  Transaction: {
    schema: Transaction,
    fields: { id: 'id', amount: 'amount', type: 'type', 'payment type': 'paymentType', status: 'status' },
    added: 'reason document refundedFt createdAt',
  },
  Invoice: {
    schema: Invoice,
    fields: { downloadable: 'downloadUrl', status: 'status' },
    added: 'id number kind form totalFt netFt vatFt what stornoOf stornoBy correctionOf correctedBy createdAt',
  },
  Activity: {
    schema: Activity,
    fields: { 'ip address': 'ipAddress', place: 'place', type: 'type', status: 'status', date: 'date' },
    added: 'id server way detail',
  },
  Notification: {
    schema: Notification,
    fields: { id: 'id', 'text (a key)': 'text', data: 'data', createdAt: 'createdAt', userId: 'userId' },
    added: 'readAt',
  },
  'Notification data': {
    schema: Notification.shape.data,
    fields: { sid: 'sid', product: 'product', name: 'name', amount: 'amount' },
    added:
      'reason days debt isTest person purchase again error staffError ticketId aboutTicketId title merged rates count replaces',
  },
  'Sub-user': {
    schema: SubUser,
    fields: { email: 'email', 'permission set': 'permissions' },
    added: 'id username',
  },
  'Auth tokens': {
    schema: TokenAnswer,
    fields: { access_token: 'access_token', refresh_token: 'refresh_token' },
    added: 'expires_in',
  },
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')

test.each(Object.entries(ENTITIES))(
  '%s has the fields of section 3 and no others',
  (_name, { schema, fields, added = '' }) => {
    const expected = [...Object.values(fields).flatMap(words), ...words(added)].sort()
    expect(Object.keys(schema.shape).sort()).toEqual(expected)
  },
)

test('closed lists of section 3', () => {
  expect(PREMIUM_TIERS).toEqual(['none', 'essentials', 'maximus', 'ultimus'])
  expect(NOTIFICATION_KEYS).toEqual(
    expect.arrayContaining([
      'server.installed',
      'purchase.success',
      'server.expired',
      'topup.failed',
      'topup.successful',
    ]),
  )
})

test('a list of notifications is read without those of a later release, and a broken one is an error', () => {
  const id = '01890000-0000-7000-8000-000000000001'
  const notice = { id, text: 'server.installed', data: {}, createdAt: '2026-11-20T10:00:00.000Z', userId: id }
  const later = { ...notice, text: 'ticket.of-a-later-release', data: { ticketId: 7 }, createdAt: 'soon' }
  expect(NotificationList.parse([later, notice, later])).toEqual([{ ...notice, readAt: null }])
  for (const broken of [{ ...notice, createdAt: 'soon' }, { ...notice, text: undefined }, null])
    expect(NotificationList.safeParse([notice, broken]).success).toBe(false)
})

test('a name to sign in with has no control characters: PostgreSQL would fail at a NUL', () => {
  const login = (username: string) => LoginRequest.safeParse({ username, password: 'x' }).success
  expect(['anna', 'anna@example.test', 'Ünknown name'].map(login)).toEqual([true, true, true])
  expect(['an\u0000na', 'an\nna', 'an\u0007na'].map(login)).toEqual([false, false, false])
})
