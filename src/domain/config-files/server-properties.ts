/** The sections of the form, in their order. Keys that nothing here describes come last, as `other`. */
export const PROPERTY_GROUPS = ['game', 'players', 'world', 'list', 'packs', 'performance', 'access'] as const
export type PropertyGroup = (typeof PROPERTY_GROUPS)[number]
/** Whether a word is the id of such a section. */
export const isPropertyGroup = (id: string): id is PropertyGroup => (PROPERTY_GROUPS as readonly string[]).includes(id)

/** The values that a key accepts. The server uses `preset` where the file has no value, or one that it does not understand. */
export type PropertyKind =
  | { readonly is: 'switch'; readonly preset: 'true' | 'false' }
  | { readonly is: 'number'; readonly min: number; readonly max: number; readonly preset: string }
  /** An `open` choice takes other values too, as data packs add them. */
  | {
      readonly is: 'choice'
      readonly options: readonly string[]
      readonly preset: string
      readonly isOpen?: boolean | undefined
    }
  | { readonly is: 'text'; readonly preset: string }
  | { readonly is: 'secret'; readonly preset: '' }
  /** Belongs to the rented server: players reach only the address and port that the node gave it. */
  | { readonly is: 'allocation'; readonly preset: string }

export interface DescribedProperty {
  readonly key: string
  readonly group: PropertyGroup
  readonly kind: PropertyKind
}

const INT_MAX = 2_147_483_647
/** Blocks from the middle to a world's edge. */
const WORLD_EDGE = 29_999_984
const PORT_MAX = 65_535

const on = { is: 'switch', preset: 'true' } as const
const off = { is: 'switch', preset: 'false' } as const
const text = (preset = '') => ({ is: 'text', preset }) as const
const number = (min: number, max: number, preset: number) =>
  ({ is: 'number', min, max, preset: String(preset) }) as const
const choice = (preset: string, ...others: string[]) =>
  ({ is: 'choice', options: [preset, ...others], preset }) as const
const secret = { is: 'secret', preset: '' } as const
const allocation = (preset: string) => ({ is: 'allocation', preset }) as const

/** Minecraft's own names of the worlds that it makes without a data pack. */
const LEVEL_TYPES = ['normal', 'flat', 'large_biomes', 'amplified', 'single_biome_surface'].map(
  (name) => `minecraft:${name}`,
)

/**
 * Minecraft's own keys in server.properties, Java Edition up to 1.21.11, with the ranges and defaults of its
 * documentation (https://minecraft.wiki/w/Server.properties).
 */
const KINDS: Readonly<Record<PropertyGroup, Readonly<Record<string, PropertyKind>>>> = {
  game: {
    gamemode: choice('survival', 'creative', 'adventure', 'spectator'),
    'force-gamemode': off,
    difficulty: { is: 'choice', options: ['peaceful', 'easy', 'normal', 'hard'], preset: 'easy' },
    hardcore: off,
    pvp: on,
    'allow-flight': off,
    'allow-nether': on,
    'spawn-monsters': on,
    'spawn-animals': on,
    'spawn-npcs': on,
    'spawn-protection': number(0, WORLD_EDGE, 16),
    'enable-command-block': off,
  },
  players: {
    'max-players': number(0, INT_MAX, 20),
    'white-list': off,
    'enforce-whitelist': off,
    'online-mode': on,
    'enforce-secure-profile': on,
    'prevent-proxy-connections': off,
    'player-idle-timeout': number(0, INT_MAX, 0),
    'op-permission-level': number(0, 4, 4),
    'function-permission-level': number(1, 4, 2),
    'accepts-transfers': off,
    'enable-code-of-conduct': off,
  },
  world: {
    'level-name': text('world'),
    'level-seed': text(),
    'level-type': { is: 'choice', options: LEVEL_TYPES, preset: 'minecraft:normal', isOpen: true },
    'generate-structures': on,
    'generator-settings': text('{}'),
    'max-world-size': number(1, WORLD_EDGE, WORLD_EDGE),
    'initial-enabled-packs': text('vanilla'),
    'initial-disabled-packs': text(),
  },
  list: {
    motd: text('A Minecraft Server'),
    'enable-status': on,
    'hide-online-players': off,
    'bug-report-link': text(),
  },
  packs: {
    'resource-pack': text(),
    'resource-pack-id': text(),
    'resource-pack-sha1': text(),
    'resource-pack-prompt': text(),
    'require-resource-pack': off,
  },
  performance: {
    'view-distance': number(3, 32, 10),
    'simulation-distance': number(3, 32, 10),
    'entity-broadcast-range-percentage': number(10, 1_000, 100),
    'pause-when-empty-seconds': number(-1, INT_MAX, 60),
    'max-tick-time': number(-1, Number.MAX_SAFE_INTEGER, 60_000),
    'network-compression-threshold': number(-1, INT_MAX, 256),
    'rate-limit': number(0, INT_MAX, 0),
    'max-chained-neighbor-updates': number(-1, INT_MAX, 1_000_000),
    'region-file-compression': choice('deflate', 'lz4', 'none'),
    'sync-chunk-writes': on,
    'use-native-transport': on,
  },
  access: {
    'server-ip': allocation(''),
    'server-port': allocation('25565'),
    'enable-query': off,
    'query.port': number(1, PORT_MAX, 25_565),
    'enable-rcon': off,
    'rcon.port': number(1, PORT_MAX, 25_575),
    'rcon.password': secret,
    'broadcast-console-to-ops': on,
    'broadcast-rcon-to-ops': on,
    'log-ips': on,
    'enable-jmx-monitoring': off,
    'status-heartbeat-interval': number(0, INT_MAX, 0),
    'text-filtering-config': text(),
    'text-filtering-version': number(0, INT_MAX, 0),
    'management-server-enabled': off,
    'management-server-host': text('localhost'),
    'management-server-port': number(0, PORT_MAX, 0),
    'management-server-secret': secret,
    'management-server-allowed-origins': text(),
    'management-server-tls-enabled': on,
    'management-server-tls-keystore': text(),
    'management-server-tls-keystore-password': secret,
  },
}

/** The keys that the form explains, by group and in the order of the form. */
export const SERVER_PROPERTIES: readonly DescribedProperty[] = PROPERTY_GROUPS.flatMap((group) =>
  Object.entries(KINDS[group]).map(([key, kind]) => ({ key, group, kind })),
)

const described = new Map(SERVER_PROPERTIES.map((property) => [property.key, property]))

/** The description of a key; undefined for one that a plugin or another program has added. */
export const describedProperty = (key: string): DescribedProperty | undefined => described.get(key)

const WHOLE = /^-?\d{1,16}$/

/**
 * Why the server does not take this value as it stands: it takes its preset instead. Undefined for a value that it
 * takes. Java's reader takes any spelling of `true`, and everything else for false.
 */
export function refusedValue(
  kind: PropertyKind,
  value: string,
): 'not-switch' | 'not-number' | 'not-option' | undefined {
  if (kind.is === 'switch') return /^(?:true|false)$/i.test(value) ? undefined : 'not-switch'
  if (kind.is === 'number') {
    const number = WHOLE.test(value) ? Number(value) : Number.NaN
    return number >= kind.min && number <= kind.max ? undefined : 'not-number'
  }
  if (kind.is === 'choice' && kind.isOpen !== true) return kind.options.includes(value) ? undefined : 'not-option'
  return undefined
}

/** The file's name, in whichever folder. */
export const SERVER_PROPERTIES_FILE = 'server.properties'

/**
 * Whether the server reads the file at this path of its folder when it starts, and only then: Minecraft's own one, and those
 * that its template describes.
 */
export const isReadAtStart = (path: string, isDescribed = false): boolean =>
  path === SERVER_PROPERTIES_FILE || isDescribed

/**
 * Whether a file takes effect only with the next start: the server runs, and has run since before the file was
 * written. Both are times of the node's clock.
 */
export const needsRestart = (writtenAtMs: number, runningSinceMs: number | null): boolean =>
  runningSinceMs !== null && writtenAtMs > runningSinceMs
