import { Server } from '#contracts/http/server.ts'
import { User } from '#contracts/http/user.ts'

export const OWNER_ID = '01890000-0000-7000-8000-0000000000aa'
export const SHOWN_SERVER_ID = '01890000-0000-7000-8000-0000000000bb'

/** A server as the site's pages receive it, paid until 2100. */
export const shownServer = (change: Partial<Server> = {}): Server =>
  Server.parse({
    id: SHOWN_SERVER_ID,
    name: 'Watchman',
    description: '',
    identifier: 'acdefghj',
    owner: { id: OWNER_ID, username: 'anna' },
    computer: { name: 'pest-1', url: '', proxmox_url: null },
    status: 'offline',
    expiry: '2100-06-01T10:00:00.000Z',
    cpuPercent: 100,
    maximumMemoryMiB: 1024,
    maximumStorageMiB: 2048,
    ports: 1,
    monthlyPriceFt: 1500,
    dockerImage: null,
    startup: '',
    variables: [],
    highlighted: false,
    suspended: false,
    suspendedReason: null,
    ip: '',
    port: null,
    subusers: [],
    permissions: [],
    serviceName: 'Bot',
    createdAt: '2026-06-01T10:00:00.000Z',
    installation: null,
    ...change,
  })

/** The reader of the page. */
export const shownUser = (change: Partial<User> = {}): User =>
  User.parse({
    id: OWNER_ID,
    username: 'anna',
    identifier: 'acdefghj',
    email: 'anna@example.test',
    twoFactor: false,
    role: [],
    balance: 5000,
    verified: true,
    premium: 'none',
    premiumExpiry: null,
    profilePictureId: null,
    spinCount: 0,
    invoiceType: 'electronic',
    language: 'en',
    timeZone: '',
    contact: { firstName: '', lastName: '', streetAndHouseNumber: '', postalCode: '', city: '', phoneNumber: '' },
    billing: { country: 'HU', company: '', taxNumber: '' },
    ...change,
  })
