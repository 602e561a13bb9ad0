import type { Balance, StatementEntry } from '#contracts/http/balance.ts'
import type { Quote, QuoteRequest } from '#contracts/http/order.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Package, Service } from '#contracts/http/service.ts'
import type { User } from '#contracts/http/user.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import type { ServerWord } from '#domain/servers/status.ts'

const day = 24 * 60 * 60 * 1_000

/** A readable version 7 uuid: the number is in its last group. */
export const idOf = (kind: number, number: number): string =>
  `01900000-000${kind}-7000-8000-${String(number).padStart(12, '0')}`

export const user: User = {
  id: idOf(1, 1),
  username: 'panni',
  identifier: 'pq4r7txw',
  email: 'panni@example.test',
  twoFactor: false,
  role: [{ name: 'customer', isAdmin: 0, isSupport: 0 }],
  balance: 8_430,
  verified: true,
  premium: 'none',
  premiumExpiry: null,
  profilePictureId: null,
  spinCount: 0,
  contact: { firstName: '', lastName: '', streetAndHouseNumber: '', postalCode: '', city: '', phoneNumber: '' },
  billing: { country: 'HU', company: '', taxNumber: '' },
  invoiceType: 'electronic',
  language: 'hu',
  timeZone: '',
}

type ServerFacts = { number: number; name: string; identifier: string; status: ServerWord; days: number; price: number }

export const serverOf = (facts: ServerFacts, nowMs: number): Server => ({
  id: idOf(2, facts.number),
  name: facts.name,
  description: '',
  identifier: facts.identifier,
  owner: { id: user.id, username: user.username },
  computer: { name: 'bud-1', url: '', proxmox_url: null },
  status: facts.status,
  expiry: new Date(nowMs + facts.days * day).toISOString(),
  cpuPercent: 300,
  maximumMemoryMiB: 8_192,
  maximumStorageMiB: 40_960,
  ports: 1,
  monthlyPriceFt: facts.price,
  dockerImage: null,
  startup: 'node launcher.mjs',
  variables: [],
  highlighted: false,
  suspended: facts.status === 'suspended',
  suspendedReason: facts.status === 'suspended' ? 'spam' : null,
  ip: '185.112.14.9',
  port: 25_500 + facts.number,
  subusers: [],
  permissions: [...PERMISSIONS],
  serviceName: 'Minecraft',
  pictures: { banner: '/pictures/banners/minecraft.svg', icon: '/pictures/icons/minecraft.svg' },
  createdAt: new Date(nowMs - 20 * day).toISOString(),
  installation:
    facts.status === 'installing' ? { step: 'npm install', startedAt: new Date(nowMs - 20_000).toISOString() } : null,
})

export const serversOf = (nowMs: number): Server[] =>
  [
    { number: 1, name: 'Szigetvár', identifier: 'k7wmq3pd', status: 'crashed', days: 19, price: 890 },
    { number: 2, name: 'Túlélő szerver', identifier: 'a4tfxv9c', status: 'running', days: 14, price: 2_490 },
    { number: 3, name: 'Kisváros RP', identifier: 'r3phn6wd', status: 'running', days: 7, price: 4_200 },
    { number: 4, name: 'Hétvégi hadjárat', identifier: 'c9dkt7qx', status: 'offline', days: 3, price: 1_500 },
    { number: 5, name: 'web-01', identifier: 'w6vah4mp', status: 'nodeoffline', days: 11, price: 2_900 },
    { number: 6, name: 'Száműzöttek földje', identifier: 'n4xrg3ty', status: 'installing', days: 30, price: 1_900 },
  ].map((facts) => serverOf({ ...facts, status: facts.status as ServerWord }, nowMs))

const sizeOf = (
  number: number,
  name: string,
  facts: { price: number; ramGiB: number; highlighted?: boolean },
): Package => ({
  id: idOf(4, number),
  name,
  description: '',
  serverType: 'game',
  pricePerMonthFt: facts.price,
  cpuPercent: facts.ramGiB * 50,
  ramMiB: facts.ramGiB * 1_024,
  storageMiB: facts.ramGiB * 5 * 1_024,
  orderable: true,
  highlighted: facts.highlighted ?? false,
})

const serviceOf = (number: number, facts: Partial<Service> & { name: string; slug: string }): Service => ({
  id: idOf(3, number),
  description: '',
  category: 'gameServer',
  serverTemplate: null,
  machine: [],
  banner: null,
  icon: null,
  orderable: true,
  highlighted: false,
  packages: [],
  resources: null,
  operatingSystems: [],
  points: null,
  startingPriceFt: null,
  version: null,
  players: null,
  places: [],
  unavailableReason: null,
  ...facts,
})

const needsDocker = 'A sablonhoz Docker és internet kell.'

export const services: Service[] = [
  serviceOf(1, {
    name: 'Minecraft',
    slug: 'minecraft',
    description: 'Java Edition, percek alatt indul',
    highlighted: true,
    startingPriceFt: 990,
    packages: [
      sizeOf(1, 'Kezdő', { price: 990, ramGiB: 2, highlighted: true }),
      sizeOf(2, 'Haladó', { price: 1_890, ramGiB: 4 }),
      sizeOf(3, 'Közösség', { price: 3_290, ramGiB: 8 }),
    ],
    resources: {
      cpuPercent: { minimum: 100, maximum: 800, step: 50, unitPriceFt: 3 },
      ramMiB: { minimum: 1_024, maximum: 32_768, step: 1_024, unitPriceFt: 150 },
      storageMiB: { minimum: 5_120, maximum: 204_800, step: 5_120, unitPriceFt: 30 },
    },
  }),
  serviceOf(2, {
    name: 'FiveM',
    slug: 'fivem',
    description: 'GTA V szerepjáték, ESX és QBCore',
    highlighted: true,
    startingPriceFt: 1_200,
    packages: [sizeOf(4, 'Kezdő', { price: 1_200, ramGiB: 4 })],
    unavailableReason: needsDocker,
  }),
  serviceOf(3, {
    name: 'Arma',
    slug: 'arma',
    description: 'Arma 3 és Reforger, Workshop-modokkal',
    startingPriceFt: 1_500,
    unavailableReason: needsDocker,
  }),
  serviceOf(4, {
    name: 'CS:GO',
    slug: 'csgo',
    description: 'Versenyzői és közösségi, 128 tick',
    startingPriceFt: 580,
    unavailableReason: needsDocker,
  }),
  serviceOf(5, {
    name: 'Node.js alkalmazás',
    slug: 'nodejs',
    description: 'Bot és webes alkalmazás',
    category: 'bot',
    startingPriceFt: 490,
    packages: [sizeOf(5, 'Bot', { price: 490, ramGiB: 1 })],
  }),
]

export const balance: Balance = {
  balanceFt: 8_430,
  moneyFt: 7_930,
  bonusFt: 500,
  heldFt: 0,
  debtFt: 0,
  renewalDiscount: null,
  methods: [{ id: 'sandbox', sandbox: true, kinds: ['redirect'], minimumFt: 500, maximumFt: 1_000_000, tariffs: [] }],
}

type Movement = Pick<StatementEntry, 'amount' | 'type' | 'status' | 'reason' | 'balanceAfterFt'> & {
  minutesAgo: number
  server?: string
}

const MOVEMENTS: readonly Movement[] = [
  { amount: 2_000, type: 'top-up', status: 'processing', reason: 'Próbafizetés', minutesAgo: 4, balanceAfterFt: null },
  {
    amount: -990,
    type: 'order',
    status: 'finished',
    reason: 'Minecraft, Kezdő, 1 hónap',
    minutesAgo: 130,
    balanceAfterFt: 8_430,
    server: 'Szigetvár',
  },
  {
    amount: 500,
    type: 'prize',
    status: 'finished',
    reason: 'Nyeremény a pörgetésből',
    minutesAgo: 8_640,
    balanceAfterFt: 9_420,
  },
  {
    amount: -2_490,
    type: 'renewal',
    status: 'finished',
    reason: 'Túlélő szerver, 1 hónap',
    minutesAgo: 20_000,
    balanceAfterFt: 8_920,
    server: 'Túlélő szerver',
  },
  {
    amount: 5_000,
    type: 'top-up',
    status: 'failed',
    reason: 'A bank visszautasította',
    minutesAgo: 22_000,
    balanceAfterFt: null,
  },
  {
    amount: 10_000,
    type: 'top-up',
    status: 'finished',
    reason: 'Próbafizetés',
    minutesAgo: 22_010,
    balanceAfterFt: 11_410,
  },
]

export const transactionsOf = (nowMs: number): StatementEntry[] =>
  MOVEMENTS.map(({ minutesAgo, server, ...movement }, index) => ({
    ...movement,
    id: idOf(5, index + 1),
    paymentType: 'sandbox',
    document: { kind: movement.type === 'order' ? ('order' as const) : ('payment' as const), id: idOf(6, index + 1) },
    refundedFt: 0,
    server: server === undefined ? null : { id: idOf(1, index), name: server, identifier: 'k7wmq3pd' },
    months: server === undefined ? null : 1,
    createdAt: new Date(nowMs - minutesAgo * 60_000).toISOString(),
  }))

export const quoteOf = (request: QuoteRequest, balanceFt: number, nowMs: number): Quote => {
  const service = services.find((candidate) => candidate.id === request.serviceId)
  const size = service?.packages.find((candidate) => candidate.id === request.packageId)
  const { resources } = request
  const own = resources
    ? Math.round(resources.cpuPercent * 3 + (resources.ramMiB / 1_024) * 150 + (resources.storageMiB / 1_024) * 6)
    : 0
  const monthlyFt = size?.pricePerMonthFt ?? own
  const totalFt = monthlyFt * request.months
  const netFt = Math.round(totalFt / 1.27)
  return {
    monthlyFt,
    months: request.months,
    discountFt: 0,
    totalFt,
    netFt,
    vatFt: totalFt - netFt,
    vatPercent: 27,
    balanceFt,
    balanceAfterFt: Math.max(0, balanceFt - totalFt),
    missingFt: Math.max(0, totalFt - balanceFt),
    expiresAt: new Date(nowMs + request.months * 30 * day).toISOString(),
    renewalFt: monthlyFt,
    parts: [{ kind: 'resource', key: 'package', quantity: 1, monthlyFt, amountFt: totalFt }],
  }
}
