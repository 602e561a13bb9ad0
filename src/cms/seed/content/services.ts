import type { ServiceDrawing } from '#contracts/pictures.ts'
import { words, type Words } from '../../fields/languages.ts'

export type PackageSeed = {
  name: Words
  description: Words
  pricePerMonthFt: number
  cpuPercent: number
  ramMiB: number
  storageMiB: number
  highlighted: boolean
}

export type ServiceSeed = {
  slug: string
  drawing: ServiceDrawing
  name: Words | string
  description: Words
  category: 'gameServer' | 'vps' | 'bot'
  template: string | null
  highlighted: boolean
  packages: readonly PackageSeed[]
  resources?: Record<string, { minimum: number; maximum: number; step: number; unitPriceFt: number }>
  operatingSystems?: readonly { name: string; templateId: string }[]
}

const sizes = {
  small: { name: words('Small', 'Kicsi', 'Klein'), highlighted: false },
  medium: { name: words('Medium', 'Közepes', 'Mittel'), highlighted: true },
  large: { name: words('Large', 'Nagy', 'Groß'), highlighted: false },
} as const

const players = (count: string): Words =>
  words(`For about ${count} players.`, `Nagyjából ${count} játékosnak.`, `Für ungefähr ${count} Spieler.`)

/** `[price in Ft, processor in % of a core, memory in GiB, storage in GiB]` */
type Figures = readonly [number, number, number, number]

const sized = (
  size: keyof typeof sizes,
  [pricePerMonthFt, cpuPercent, ramGiB, storageGiB]: Figures,
  description: Words,
): PackageSeed => ({
  ...sizes[size],
  description,
  pricePerMonthFt,
  cpuPercent,
  ramMiB: ramGiB * 1024,
  storageMiB: storageGiB * 1024,
})

const gameServers: readonly ServiceSeed[] = [
  {
    slug: 'csgo',
    drawing: 'csgo',
    name: 'CS:GO',
    description: words(
      'Counter-Strike: Global Offensive',
      'Counter-Strike: Global Offensive',
      'Counter-Strike: Global Offensive',
    ),
    category: 'gameServer',
    template: 'csgo',
    highlighted: false,
    packages: [
      sized('small', [580, 100, 1, 30], players('10')),
      sized('medium', [1160, 150, 2, 35], players('20')),
      sized('large', [1890, 200, 3, 40], players('32')),
    ],
  },
  {
    slug: 'minecraft',
    drawing: 'minecraft',
    name: 'Minecraft',
    description: words('Survival, building, minigames', 'Túlélés, építés, minijátékok', 'Überleben, Bauen, Minispiele'),
    category: 'gameServer',
    template: 'minecraft-flying-squid',
    highlighted: true,
    packages: [
      sized('small', [990, 100, 1, 2], players('10')),
      sized('medium', [1990, 150, 3, 10], players('30')),
      sized('large', [3990, 300, 8, 30], players('80')),
    ],
  },
  {
    slug: 'fivem',
    drawing: 'fivem',
    name: 'FiveM',
    description: words(
      'GTA V, from roleplay to racing',
      'GTA V, a szerepjátéktól a versenyig',
      'GTA V, vom Rollenspiel bis zum Rennen',
    ),
    category: 'gameServer',
    template: 'fivem',
    highlighted: true,
    packages: [
      sized('small', [1200, 100, 2, 10], players('16')),
      sized('medium', [2900, 200, 4, 25], players('48')),
      sized('large', [5900, 400, 8, 60], players('128')),
    ],
  },
  {
    slug: 'arma',
    drawing: 'arma',
    name: 'Arma',
    description: words('Operations with your squad', 'Hadműveletek a csapatoddal', 'Einsätze mit deinem Trupp'),
    category: 'gameServer',
    template: 'arma3',
    highlighted: false,
    packages: [
      sized('small', [1500, 150, 3, 30], players('16')),
      sized('medium', [2900, 250, 6, 50], players('40')),
      sized('large', [4900, 400, 10, 80], players('64')),
    ],
  },
  {
    slug: 'mta',
    drawing: 'mta',
    name: 'MTA',
    description: words(
      'San Andreas, multiplayer',
      'San Andreas, többjátékos módban',
      'San Andreas im Mehrspielermodus',
    ),
    category: 'gameServer',
    template: 'mta',
    highlighted: false,
    packages: [
      sized('small', [690, 75, 1, 3], players('32')),
      sized('medium', [1290, 150, 2, 8], players('100')),
      sized('large', [2490, 250, 4, 20], players('250')),
    ],
  },
  {
    slug: 'conan-exiles',
    drawing: 'conan',
    name: 'Conan Exiles',
    description: words(
      'Survival in the Exiled Lands',
      'Túlélés a száműzöttek földjén',
      'Überleben in den Verbannten Landen',
    ),
    category: 'gameServer',
    template: 'conan-exiles',
    highlighted: false,
    packages: [
      sized('small', [2490, 200, 6, 25], players('10')),
      sized('medium', [3990, 300, 8, 35], players('25')),
      sized('large', [5990, 400, 12, 50], players('40')),
    ],
  },
]

const otherServices: readonly ServiceSeed[] = [
  {
    slug: 'vps',
    drawing: 'vps',
    name: 'VPS',
    description: words(
      'Your choice of system, SSH key',
      'Választható rendszer, SSH-kulcs',
      'System nach Wahl, SSH-Schlüssel',
    ),
    category: 'vps',
    template: null,
    highlighted: false,
    packages: [
      sized(
        'small',
        [1990, 100, 2, 20],
        words(
          'For a website or a small service.',
          'Weboldalnak vagy kisebb szolgáltatásnak.',
          'Für eine Website oder einen kleinen Dienst.',
        ),
      ),
      sized(
        'medium',
        [3490, 200, 4, 40],
        words(
          'For several services side by side.',
          'Több szolgáltatásnak egymás mellett.',
          'Für mehrere Dienste nebeneinander.',
        ),
      ),
      sized('large', [6490, 400, 8, 80], words('For heavy work.', 'Nagy terheléshez.', 'Für hohe Last.')),
    ],
    resources: {
      cpuPercent: { minimum: 100, maximum: 800, step: 100, unitPriceFt: 600 },
      ramMiB: { minimum: 1024, maximum: 16_384, step: 1024, unitPriceFt: 500 },
      storageMiB: { minimum: 10_240, maximum: 204_800, step: 10_240, unitPriceFt: 200 },
    },
    operatingSystems: [
      { name: 'Debian 12', templateId: 'debian-12' },
      { name: 'Ubuntu 24.04 LTS', templateId: 'ubuntu-24.04' },
      { name: 'Rocky Linux 9', templateId: 'rocky-9' },
    ],
  },
  {
    slug: 'bot',
    drawing: 'bot',
    name: words('Bot', 'Bot', 'Bot'),
    description: words('A home for your own bot', 'Hely a saját botodnak', 'Ein Zuhause für deinen eigenen Bot'),
    category: 'bot',
    template: 'nodejs-application',
    highlighted: false,
    packages: [
      sized('small', [590, 25, 0.25, 1], words('For one bot.', 'Egy botnak.', 'Für einen Bot.')),
      sized(
        'medium',
        [990, 50, 0.5, 2],
        words('For a bot on many channels.', 'Sok csatornán dolgozó botnak.', 'Für einen Bot in vielen Kanälen.'),
      ),
    ],
    resources: {
      cpuPercent: { minimum: 25, maximum: 200, step: 25, unitPriceFt: 200 },
      ramMiB: { minimum: 256, maximum: 2_048, step: 256, unitPriceFt: 250 },
      storageMiB: { minimum: 1_024, maximum: 8_192, step: 1_024, unitPriceFt: 200 },
    },
  },
]

/** Services of the specification with starting prices; staff change both in the admin. */
export const services: readonly ServiceSeed[] = [...gameServers, ...otherServices]

/** Chips of the banner in the sidebars, in order. */
export const popularServices = ['minecraft', 'csgo', 'fivem', 'mta', 'arma'] as const
