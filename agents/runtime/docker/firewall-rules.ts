import { parseRange, rangeText, type Range } from './cidr.ts'

/** The prefix of bridges of servers' networks; the rules match all of them, so no rule names a server. */
export const BRIDGE_PREFIX = 'bkt'
const FORWARD = 'BAKTER-FORWARD'
const INPUT = 'BAKTER-INPUT'

export interface EgressException {
  readonly range: Range
  readonly firstPort: number
  readonly lastPort: number
}

/** One tcp port at one address of the node that is open to one bridge, and otherwise only to the node itself. */
export interface Door {
  readonly bridge: string
  readonly address: string
  readonly port: number
}

export interface FirewallSettings {
  /**
   * Targets on the node or in private networks that servers may reach, by tcp and udp. With the node's public address
   * and its range of game ports, servers of one node reach one another as the public does.
   */
  readonly allow: readonly EgressException[]
  /** Servers may send no mail by port 25. */
  readonly blockMail: boolean
}

export type Family = 'v4' | 'v6'

/** All non-public ranges: private, shared, link-local with the metadata service, test, multicast, reserved. */
const NOT_PUBLIC: Readonly<Record<Family, readonly string[]>> = {
  v4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // The last five lead to translated or tunnelled IPv4 addresses.
  v6: ['::/127', '100::/64', '2001:db8::/32', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8']
    .concat(['::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'])
    .concat(['2001::/32', '2002::/16']),
}

const FROM = `-i ${BRIDGE_PREFIX}+`
const TO = `-o ${BRIDGE_PREFIX}+`
const state = (states: string, isNot = false): string => `-m conntrack ${isNot ? '! ' : ''}--ctstate ${states}`
const KNOWN = state('RELATED,ESTABLISHED')

const exceptionsFor = (family: Family, allow: FirewallSettings['allow']): string[] =>
  allow
    .filter(({ range }) => range.width === (family === 'v4' ? 32 : 128))
    .flatMap(({ range, firstPort, lastPort }) =>
      ['tcp', 'udp'].map((protocol) => {
        const ports = firstPort === lastPort ? `${firstPort}` : `${firstPort}:${lastPort}`
        return `${FROM} -d ${rangeText(range)} -p ${protocol} --dport ${ports} -j RETURN`
      }),
    )

/**
 * Traffic between servers, and from servers to the world. A rule that returns leaves the packet to Docker's own rules.
 */
const forwardRules = (family: Family, settings: FirewallSettings): string[] => [
  `${KNOWN} -j RETURN`,
  `${FROM} ${TO} -j DROP`,
  // A neighbour that routes into the servers' networks does not get past the published ports either.
  `${TO} ${state('DNAT', true)} -j DROP`,
  ...exceptionsFor(family, settings.allow),
  ...NOT_PUBLIC[family].map((range) => `${FROM} -d ${range} -j DROP`),
  ...(settings.blockMail ? [`${FROM} -p tcp --dport 25 -j DROP`] : []),
]

/**
 * An accept rule is final, because a system's own firewall might drop the packet later. The second rule is against
 * neighbours of the node, who could route to the bridge's address.
 */
const doorRules = (family: Family, doors: readonly Door[]): string[] =>
  doors
    .filter(({ address }) => parseRange(address)?.width === (family === 'v4' ? 32 : 128))
    .flatMap(({ bridge, address, port }) => [
      `-i ${bridge} -d ${address} -p tcp --dport ${port} -j ACCEPT`,
      `! -i lo -d ${address} -p tcp --dport ${port} -j DROP`,
    ])

/** Traffic from servers to the node itself, at any of its addresses. */
const inputRules = (family: Family, settings: FirewallSettings, doors: readonly Door[]): string[] => [
  // Before established connections: every packet of a door is accepted, not only its first.
  ...doorRules(family, doors),
  `${FROM} ${KNOWN} -j RETURN`,
  // Without these a server cannot resolve neighbours on its own network.
  ...(family === 'v6'
    ? ['neighbour-solicitation', 'neighbour-advertisement'].map(
        (type) => `${FROM} -p icmpv6 --icmpv6-type ${type} -j RETURN`,
      )
    : []),
  ...exceptionsFor(family, settings.allow),
  `${FROM} -j DROP`,
]

const rulesOf = (saved: string, chain: string): string[] =>
  saved
    .split('\n')
    .filter((line) => line.startsWith(`-A ${chain} `))
    .map((line) => line.slice(`-A ${chain} `.length).trim())

/** Lines that leave exactly one jump from `chain` to `target`, at the head. */
const jumpFirst = (saved: string, chain: string, target: string): string[] => {
  const jump = `-j ${target}`
  const rules = rulesOf(saved, chain)
  const places = rules.filter((rule) => rule === jump).length
  if (places === 1 && rules[0] === jump) return []
  return [...Array<string>(places).fill(`-D ${chain} ${jump}`), `-I ${chain} 1 ${jump}`]
}

/**
 * The node's rules as input for `iptables-restore --noflush`, from the current output of `iptables-save -t filter`. It
 * is one transaction: own chains are rewritten, foreign ones keep their content. Applied to its own result it changes
 * nothing.
 */
export const firewallText = (
  family: Family,
  settings: FirewallSettings & { readonly doors?: readonly Door[] },
  saved: string,
): string => {
  // Docker calls this chain before its own rules and preserves its content; without Docker's rules it does not exist.
  const hasUserChain = /^:DOCKER-USER /m.test(saved)
  const isCalled = rulesOf(saved, 'FORWARD').includes('-j DOCKER-USER')
  return [
    '*filter',
    `:${FORWARD} - [0:0]`,
    `:${INPUT} - [0:0]`,
    ...(hasUserChain ? [] : [':DOCKER-USER - [0:0]']),
    ...forwardRules(family, settings).map((rule) => `-A ${FORWARD} ${rule}`),
    ...inputRules(family, settings, settings.doors ?? []).map((rule) => `-A ${INPUT} ${rule}`),
    ...jumpFirst(saved, 'DOCKER-USER', FORWARD),
    ...(isCalled ? [] : ['-I FORWARD 1 -j DOCKER-USER']),
    ...jumpFirst(saved, 'INPUT', INPUT),
    'COMMIT',
    '',
  ].join('\n')
}

/** Parses `10.0.0.5:3306, 203.0.113.7:25565-25999, [fd00::5]:443`. Throws one sentence that names the invalid part. */
export const parseEgressAllow = (text: string): EgressException[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, v6, v4, first = '', last = first] =
        /^(?:\[([^\]]+)\]|([\d./]+)):(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? []
      const range = parseRange(v6 ?? v4 ?? '')
      const [firstPort, lastPort] = [Number(first), Number(last)]
      if (range === undefined || firstPort < 1 || lastPort < firstPort || lastPort > 65_535) {
        throw new Error(`"${part}" is no range and port such as 10.0.0.0/24:443, 10.0.0.5:8000-8010 or [fd00::5]:443.`)
      }
      return { range, firstPort, lastPort }
    })

/** The node's name servers, which servers use too: exceptions for port 53 from the text of `/etc/resolv.conf`. */
export const resolverExceptions = (resolvConf: string): EgressException[] =>
  [...resolvConf.matchAll(/^nameserver\s+(\S+)/gm)].flatMap(([, address = '']) => {
    const range = parseRange(address)
    return range === undefined || /^127\.|^::1$/.test(address) ? [] : [{ range, firstPort: 53, lastPort: 53 }]
  })
