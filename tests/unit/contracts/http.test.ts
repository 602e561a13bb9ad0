import type * as z from 'zod'
import { expect, test } from 'vitest'
import { LoginRequest, TokenAnswer } from '#contracts/http/auth.ts'
import { Invoice, Transaction } from '#contracts/http/balance.ts'
import { Activity, Notification, NOTIFICATION_KEYS } from '#contracts/http/notification.ts'
import { Backup, Database, Subdomain, Timer } from '#contracts/http/server-parts.ts'
import { Server, SubUser } from '#contracts/http/server.ts'
import { Package, Service } from '#contracts/http/service.ts'
import {
  Computer,
  Coupon,
  Event,
  GlobalSettings,
  News,
  ServerTemplate,
  SpinCoupon,
  SpinRecord,
  Voting,
} from '#contracts/http/staff-entities.ts'
import { Ticket } from '#contracts/http/ticket.ts'
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
    added: 'permissions serviceName createdAt installation',
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
    added: 'id slug description highlighted startingPriceFt unavailableReason',
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
  Computer: {
    schema: Computer,
    fields: {
      name: 'name',
      ip: 'ip',
      url: 'url',
      'available memory': 'availableMemoryMiB',
      storage: 'storageMiB',
      cores: 'cores',
      'start port': 'startPort',
      'port count': 'portCount',
    },
    added: 'id',
  },
  Coupon: {
    schema: Coupon,
    fields: {
      name: 'name',
      code: 'code',
      type: 'type',
      'discount amount': 'discountAmount',
      expiration: 'expiration',
      'valid from-to': 'validFrom validTo',
      'maximum price': 'maximumPriceFt',
      'maximum usage': 'maximumUsage',
      'usage once or multiple': 'usage',
      'applicable services': 'applicableServices',
      'active flag': 'active',
      'users-used count': 'usersUsed',
    },
    added: 'id',
  },
  'Spin coupon': { schema: SpinCoupon, fields: { code: 'code', 'number of uses': 'numberOfUses' }, added: 'id' },
  'Spin record': { schema: SpinRecord, fields: { type: 'type', amount: 'amount', date: 'date' }, added: 'id' },
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
    added: 'id',
  },
  Notification: {
    schema: Notification,
    fields: { id: 'id', 'text (a key)': 'text', data: 'data', createdAt: 'createdAt', userId: 'userId' },
    added: 'readAt',
  },
  'Notification data': {
    schema: Notification.shape.data,
    fields: { sid: 'sid', product: 'product', name: 'name', amount: 'amount' },
    added: 'reason days debt isTest',
  },
  Backup: {
    schema: Backup,
    fields: { name: 'name', 'ignored files list': 'ignoredFiles', 'lock flag': 'locked' },
    added: 'id createdAt',
  },
  Timer: {
    schema: Timer,
    fields: {
      name: 'name',
      command: 'command',
      month: 'month',
      'day of month': 'dayOfMonth',
      'day of week': 'dayOfWeek',
      hour: 'hour',
      minute: 'minute',
      'only-when-server-available flag': 'onlyWhenServerAvailable',
      enabled: 'enabled',
    },
    added: 'id',
  },
  Database: {
    schema: Database,
    fields: { name: 'name', owner: 'owner', username: 'username', 'password shown once': 'password' },
    added: 'id',
  },
  Subdomain: {
    schema: Subdomain,
    fields: {
      domain: 'domain',
      name: 'name',
      target: 'target',
      status: 'status',
      'created at': 'createdAt',
      'created by': 'createdBy',
    },
    added: 'id',
  },
  News: {
    schema: News,
    fields: { title: 'title', description: 'description', banner: 'banner', published: 'published' },
    added: 'id',
  },
  Event: { schema: Event, fields: { from: 'from', to: 'to', active: 'active' }, added: 'id' },
  Voting: { schema: Voting, fields: { options: 'options', 'end date or none': 'endDate' }, added: 'id' },
  'Server template': {
    schema: ServerTemplate,
    fields: {
      name: 'name',
      'docker image': 'dockerImage',
      'startup program and text': 'startupProgram startupText',
      'stop command': 'stopCommand',
      'installation program': 'installationProgram',
      'required ports': 'requiredPorts',
      variables: 'variables',
    },
    added: 'id',
  },
  'Sub-user': {
    schema: SubUser,
    fields: { email: 'email', 'permission set': 'permissions' },
    added: 'id username',
  },
  'Global settings': {
    schema: GlobalSettings,
    fields: {
      'host name': 'hostName',
      'kill switches': 'killSwitches',
      'SMTP host, port, username, from, name': 'smtp',
    },
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
  expect(SpinRecord.shape.type.options).toEqual(['money', 'reroll', 'server', 'coupon', 'nothing'])
})

test('a name to sign in with has no control characters: PostgreSQL would fail at a NUL', () => {
  const login = (username: string) => LoginRequest.safeParse({ username, password: 'x' }).success
  expect(['anna', 'anna@example.test', 'Ünknown name'].map(login)).toEqual([true, true, true])
  expect(['an\u0000na', 'an\nna', 'an\u0007na'].map(login)).toEqual([false, false, false])
})
