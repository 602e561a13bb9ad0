import { contentFields } from './content-fields.ts'
import { salesFields } from './sales-fields.ts'

/**
 * The access rules of the CMS, written down. The test beside this file walks every collection, global, field and endpoint of
 * the running configuration and compares; what has no row fails, so a new field or route is a decision made here first.
 *
 * Endpoints: statuses for anonymous, customer, support, administrator. 400 means that the door is open and the empty body of
 * the walk is refused; 404 that the route does not exist or the sample is not visible. `:id` is a sample document.
 */
export type Statuses = readonly [anonymous: number, customer: number, support: number, administrator: number]
export const everyone: Statuses = [200, 200, 200, 200]
export const administrators: Statuses = [403, 403, 403, 200]
export const administratorsInvalid: Statuses = [403, 403, 403, 400]
export const staffOnly: Statuses = [403, 403, 200, 200]
export const nobody: Statuses = [404, 404, 404, 404]

/** Routes of Payload that exist in no collection of ours; walked to prove it. */
const closed = {
  'post /:id/duplicate': nobody,
  'post /versions/:id': nobody,
  'get /versions/:id': nobody,
  'post /login': nobody,
  'post /logout': nobody,
  'post /refresh-token': nobody,
  'post /forgot-password': nobody,
  'post /reset-password': nobody,
  'post /unlock': nobody,
  'post /verify/:id': nobody,
  'post /first-register': nobody,
  'post /:id/api-key/reveal': nobody,
  'put /:id': nobody,
} satisfies Record<string, Statuses>

const writing = {
  'post /': administratorsInvalid,
  'post /access/:id?': staffOnly,
  'patch /': administrators,
  'patch /:id': administrators,
  'delete /': administrators,
  'delete /:id': [403, 403, 403, 404],
} satisfies Record<string, Statuses>

const reading = (who: Statuses) => ({ 'get /': who, 'get /:id': who, 'get /count': who })

const publicContent = { ...closed, ...writing, ...reading(everyone) }
const backstage = { ...closed, ...writing, ...reading(administrators) }
const ownPart = {
  ...closed,
  'get /': nobody,
  'get /:id': nobody,
  'get /count': nobody,
  'post /': nobody,
  'patch /:id': nobody,
}

export const collectionEndpoints: Record<string, Record<string, Statuses>> = {
  users: {
    ...closed,
    'get /me': everyone,
    'get /init': [403, 404, 404, 404],
    'get /': [403, 200, 200, 200],
    'get /count': [403, 200, 200, 200],
    'get /:id': [403, 404, 200, 200],
    'post /': nobody,
    'post /access/:id?': staffOnly,
    'patch /': nobody,
    'patch /:id': administrators,
    'delete /': nobody,
    'delete /:id': nobody,
  },
  roles: backstage,
  'ticket-categories': { ...closed, ...writing, ...reading(staffOnly) },
  'canned-replies': {
    ...closed,
    ...reading(staffOnly),
    'post /': [403, 403, 400, 400],
    'post /access/:id?': staffOnly,
    'patch /': staffOnly,
    'patch /:id': staffOnly,
    'delete /': staffOnly,
    'delete /:id': [403, 403, 404, 404],
  },
  services: publicContent,
  packages: publicContent,
  templates: backstage,
  'known-errors': backstage,
  computers: backstage,
  coupons: backstage,
  'spin-coupons': backstage,
  news: publicContent,
  guides: publicContent,
  posts: {
    ...publicContent,
    // Editors look at the versions of a post and restore one; the sample has the id of a post, and no version has it.
    'get /versions': administrators,
    'get /versions/:id': [403, 403, 403, 404],
    'post /versions/:id': [403, 403, 404, 404],
  },
  'global-messages': backstage,
  votings: backstage,
  media: {
    ...publicContent,
    ...reading(staffOnly),
    'get /file/:filename': everyone,
    'get /paste-url/:id?': nobody,
  },
  'payload-preferences': {
    'get /:key': staffOnly,
    'post /:key': staffOnly,
    'delete /:key': staffOnly,
    'get /': nobody,
    'post /': nobody,
    'patch /:id': nobody,
    'post /:id/duplicate': nobody,
    'get /versions/:id': nobody,
  },
  'payload-locked-documents': ownPart,
  'payload-migrations': ownPart,
}

export const rootEndpoints: Record<string, Statuses> = {
  'get /access': staffOnly,
  'get /og': nobody,
  'get /graphql': nobody,
  'post /graphql': nobody,
  'get /graphql-playground': nobody,
  'post /reorder': nobody,
  'get /payload-jobs': nobody,
  'get /payload-jobs/run': nobody,
  'get /payload-jobs/handle-schedules': nobody,
  'get /payload-kv': nobody,
  'get /payload-query-presets': nobody,
  'get /payload-folders': nobody,
}

/** Answers of the access functions: no, yes, or `some` for a condition on the rows. Same order of people. */
export type Answers = string

const onlyAdministrators = {
  create: 'no no no yes',
  read: 'no no no yes',
  update: 'no no no yes',
  delete: 'no no no yes',
}
const yes = 'no no yes yes'
const forStaff = { create: yes, read: yes, update: yes, delete: yes }
const forReaders = (read: Answers) => ({ ...onlyAdministrators, read })
const inner = { admin: 'no no no no', unlock: 'no no no no', readVersions: 'no no no no' }
const none = { create: 'no no no no', read: 'no no no no', update: 'no no no no', delete: 'no no no no', ...inner }

export const collectionAccess: Record<string, Record<string, Answers>> = {
  users: {
    ...inner,
    admin: 'no no yes yes',
    create: 'no no no no',
    read: 'no some some yes',
    update: 'no no no yes',
    delete: 'no no no no',
  },
  roles: { ...inner, ...onlyAdministrators },
  'ticket-categories': { ...inner, ...forReaders('no no yes yes') },
  'canned-replies': { ...inner, ...forStaff },
  services: { ...inner, ...forReaders('some some some yes') },
  packages: { ...inner, ...forReaders('some some some yes') },
  templates: { ...inner, ...onlyAdministrators },
  'known-errors': { ...inner, ...onlyAdministrators },
  computers: { ...inner, ...onlyAdministrators },
  coupons: { ...inner, ...onlyAdministrators },
  'spin-coupons': { ...inner, ...onlyAdministrators },
  news: { ...inner, ...forReaders('some some some yes') },
  guides: { ...inner, ...forReaders('some some some yes') },
  posts: { ...inner, ...forReaders('some some some yes'), readVersions: 'no no no yes' },
  'global-messages': { ...inner, ...onlyAdministrators },
  votings: { ...inner, ...onlyAdministrators },
  media: { ...inner, ...forReaders('some some some some') },
  'payload-preferences': {
    ...inner,
    create: 'no no yes yes',
    read: 'no some some some',
    update: 'no some some some',
    delete: 'no some some some',
  },
  // The admin asks inside the server which documents are being edited; no route leads there.
  'payload-locked-documents': {
    ...inner,
    create: 'no no yes yes',
    read: 'no no yes yes',
    update: 'no no yes yes',
    delete: 'no no yes yes',
  },
  'payload-migrations': none,
}

/** Operations that nobody may do with these fields. */
const never = (operations: readonly string[], names: readonly string[]): Record<string, Answers> =>
  Object.fromEntries(names.flatMap((name) => operations.map((each) => [`${name} ${each}`, 'no no no no | no no'])))

/**
 * Fields with access of their own: anonymous, customer, support, administrator for somebody else's document, then `self` for
 * an administrator's and a customer's own. Every other field is listed under `asTheDocument`.
 */
export const fieldAccess: Record<string, Record<string, Answers>> = {
  users: {
    ...never(['create', 'update'], ['username', 'identifier', 'maskedContact', 'accountState']),
    ...never(['create'], ['email', 'role', 'verified', 'suspended', 'invoiceType']),
    'email read': 'no no no yes | yes no',
    'email update': 'no no no yes | no no',
    'maskedContact read': 'no no yes yes | yes no',
    'accountState read': 'no no yes yes | yes no',
    'role read': 'no no no yes | yes yes',
    'role update': 'no no no yes | no no',
    'verified update': 'no no no yes | no no',
    'suspended read': 'no no yes yes | yes no',
    'suspended update': 'no no no yes | no no',
    ...Object.fromEntries(
      'contact.firstName contact.lastName contact.streetAndHouseNumber contact.postalCode contact.city contact.phoneNumber timeZone billing.country billing.company billing.taxNumber'
        .split(' ')
        .flatMap((name) => [
          [`${name} create`, 'no no no no | no no'],
          [`${name} read`, 'no no no yes | yes yes'],
          [`${name} update`, 'no no no yes | yes no'],
        ]),
    ),
    'invoiceType read': 'no no no yes | yes yes',
    'language create': 'no no no no | no no',
  },
  services: {
    'machine read': 'no no no yes | yes no',
    'availability create': 'no no no no | no no',
    'availability read': 'no no no yes | yes no',
    'availability update': 'no no no no | no no',
  },
  coupons: never(['create', 'update'], ['uses']),
  votings: never(['create', 'update'], ['votes', 'options.votes']),
  invoicing: {
    'szamlazz.agentKey create': 'no no no yes | yes no',
    'szamlazz.agentKey read': 'no no no yes | yes no',
    'szamlazz.agentKey update': 'no no no yes | yes no',
  },
  settings: {
    'discord.clientSecret create': 'no no no yes | yes no',
    'discord.clientSecret read': 'no no no yes | yes no',
    'discord.clientSecret update': 'no no no yes | yes no',
    'smtp.password create': 'no no no yes | yes no',
    'smtp.password read': 'no no no yes | yes no',
    'smtp.password update': 'no no no yes | yes no',
  },
}

const dates = ['updatedAt', 'createdAt']
const range = (name: string) => ['minimum', 'maximum', 'step', 'unitPriceFt'].map((part) => `resources.${name}.${part}`)

export const asTheDocument: Record<string, readonly string[]> = {
  users: ['contact', 'billing', ...dates],
  roles: ['name', 'slug', 'isAdmin', 'isSupport', 'active', 'ticketCategories', 'twoFactorRequired', ...dates],
  'ticket-categories': ['name', 'slug', 'active', ...dates],
  'canned-replies': ['title', 'text', 'active', ...dates],
  services: [
    'name',
    'slug',
    'description',
    'category',
    'serverTemplate',
    'drawing',
    'banner',
    'icon',
    'packages',
    'resources',
    'resources.cpuPercent',
    ...range('cpuPercent'),
    'resources.ramMiB',
    ...range('ramMiB'),
    'resources.storageMiB',
    ...range('storageMiB'),
    'operatingSystems',
    'operatingSystems.name',
    'operatingSystems.templateId',
    'operatingSystems.id',
    'points',
    'points.pointsCount',
    'points.minimumPoint',
    'points.pricePerPointFt',
    'orderable',
    'highlighted',
    'position',
    ...dates,
  ],
  packages: [
    'name',
    'description',
    'service',
    'pricePerMonthFt',
    'cpuPercent',
    'ramMiB',
    'storageMiB',
    'orderable',
    'highlighted',
    ...dates,
  ],
  templates: [
    'name',
    'slug',
    'description',
    'describedFiles',
    'runtimes',
    'needsInternet',
    'dockerImages',
    ...['label', 'image', 'id'].map((part) => `dockerImages.${part}`),
    'startupProgram',
    'startupProgram.value',
    'startupProgram.id',
    'startupText',
    'stopCommand',
    'installationProgram',
    'installationProgram.arguments',
    'installationProgram.arguments.value',
    'installationProgram.arguments.id',
    'installationProgram.timeoutSeconds',
    'installationProgram.id',
    'installationImage',
    'installationScript',
    'versionVariable',
    'baseMemoryMiB',
    'playerMemoryMiB',
    'queryType',
    'queryPort',
    'requiredPorts',
    'variables',
    'variables.name',
    'variables.default',
    'variables.environmentVariable',
    'variables.editable',
    'variables.description',
    'variables.rules',
    'variables.secret',
    'variables.port',
    'variables.id',
    ...dates,
  ],
  computers: [
    'name',
    'ip',
    'url',
    'city',
    'country',
    'proxmoxUrl',
    'availableMemoryMiB',
    'storageMiB',
    'cores',
    'startPort',
    'portCount',
    'orderable',
    ...dates,
  ],
  ...salesFields,
  'global-messages': ['text', 'severity', 'audience', 'from', 'to', ...dates],
  media: [
    'alt',
    'url',
    'thumbnailURL',
    'filename',
    'mimeType',
    'filesize',
    'width',
    'height',
    'focalX',
    'focalY',
    ...dates,
  ],
  'payload-preferences': ['user', 'key', 'value', ...dates],
  'payload-locked-documents': ['document', 'globalSlug', 'user', ...dates],
  'payload-migrations': ['name', 'batch', ...dates],
  ...contentFields,
  invoicing: [
    'seller',
    ...['name', 'postalCode', 'city', 'street', 'country', 'taxNumber', 'euTaxNumber', 'registryNumber'].map(
      (name) => `seller.${name}`,
    ),
    'seller.bankAccount',
    'seller.email',
    'invoicePrefix',
    'receiptPrefix',
    'taxPoint',
    'szamlazz',
    'szamlazz.enabled',
    ...dates,
  ],
  settings: [
    'hostName',
    'manualCreditLimitFt',
    'killSwitches',
    ...['ordering', 'tickets', 'serverStart', 'couponUse', 'registration'].map((name) => `killSwitches.${name}`),
    ...['', '.registeredUsers'].map((part) => `shown${part}`),
    ...['', '.clientId'].map((part) => `discord${part}`),
    'smtp',
    ...['host', 'port', 'username', 'from', 'name'].map((name) => `smtp.${name}`),
    ...dates,
  ],
}
