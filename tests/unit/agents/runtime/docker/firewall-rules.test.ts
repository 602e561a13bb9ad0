import { describe, expect, it } from 'vitest'

import {
  firewallText,
  parseEgressAllow,
  resolverExceptions,
  type FirewallSettings,
} from '../../../../../agents/runtime/docker/firewall-rules.ts'

const SETTINGS: FirewallSettings = { allow: [], blockMail: false }
const CHAINS = '*filter\n:INPUT ACCEPT [0:0]\n:FORWARD DROP [0:0]\n:OUTPUT ACCEPT [0:0]\n:DOCKER-USER - [0:0]\n'
const WITH_DOCKER = `${CHAINS}-A FORWARD -j DOCKER-USER\n-A DOCKER-USER -j RETURN\nCOMMIT\n`

const linesOf = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start))
/** The output of `iptables-save` after the text was restored over the rules that were there. */
const restored = (saved: string, text: string): string => {
  const lines = saved.split('\n').filter((line) => !/^(-A|:)BAKTER-|^-A BAKTER-|^:BAKTER-|^COMMIT$|^$/.test(line))
  for (const line of text.split('\n')) {
    const [, verb, chain = '', rest = ''] = /^-([IDA]) (\S+) (.*)$/.exec(line) ?? []
    if (verb === undefined && line.startsWith(':')) lines.push(line)
    if (verb === 'A') lines.push(line)
    if (verb === 'D') lines.splice(lines.indexOf(`-A ${chain} ${rest}`), 1)
    if (verb === 'I') {
      const at = lines.findIndex((known) => known.startsWith(`-A ${chain} `))
      lines.splice(at < 0 ? lines.length : at, 0, `-A ${chain} ${rest.replace(/^1 /, '')}`)
    }
  }
  return `${lines.join('\n')}\nCOMMIT\n`
}

describe("the node's firewall", () => {
  it('is called before the rules of Docker and of the system', () => {
    const text = firewallText('v4', SETTINGS, WITH_DOCKER)
    expect(linesOf(text, '-I ')).toEqual(['-I DOCKER-USER 1 -j BAKTER-FORWARD', '-I INPUT 1 -j BAKTER-INPUT'])
    expect(linesOf(text, ':')).toEqual([':BAKTER-FORWARD - [0:0]', ':BAKTER-INPUT - [0:0]'])
  })

  it('changes nothing when it is there', () => {
    const after = restored(WITH_DOCKER, firewallText('v4', SETTINGS, WITH_DOCKER))
    const again = firewallText('v4', SETTINGS, after)
    expect(linesOf(again, '-I ')).toEqual([])
    expect(linesOf(again, '-D ')).toEqual([])
    expect(restored(after, again).split('\n').sort()).toEqual(after.split('\n').sort())
  })

  it.each([
    ['behind a rule of somebody else', '-A INPUT -j ACCEPT\n-A INPUT -j BAKTER-INPUT\n', 1],
    ['twice', '-A INPUT -j BAKTER-INPUT\n-A INPUT -j BAKTER-INPUT\n', 2],
  ])('is moved to the head when its jump stands %s', (_what, rules, removed) => {
    const text = firewallText('v4', SETTINGS, WITH_DOCKER.replace('COMMIT\n', `${rules}COMMIT\n`))
    expect(linesOf(text, '-D INPUT')).toHaveLength(removed)
    expect(linesOf(text, '-I INPUT')).toHaveLength(1)
  })

  it("stands without Docker's chain, and never empties one that is there", () => {
    const bare = '*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\nCOMMIT\n'
    const text = firewallText('v6', SETTINGS, bare)
    expect(text).toContain(':DOCKER-USER - [0:0]\n')
    expect(text).toContain('-I FORWARD 1 -j DOCKER-USER\n')
    expect(firewallText('v6', SETTINGS, WITH_DOCKER)).not.toContain(':DOCKER-USER')
  })

  it('stops each range that is not public, the metadata service among them', () => {
    const v4 = firewallText('v4', SETTINGS, WITH_DOCKER)
    for (const range of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      '169.254.0.0/16',
      '224.0.0.0/4',
    ]) {
      expect(v4).toContain(`-A BAKTER-FORWARD -i bkt+ -d ${range} -j DROP\n`)
    }
    const v6 = firewallText('v6', SETTINGS, WITH_DOCKER)
    for (const range of ['fc00::/7', 'fe80::/10', 'ff00::/8', '::ffff:0:0/96', '64:ff9b::/96']) {
      expect(v6).toContain(`-A BAKTER-FORWARD -i bkt+ -d ${range} -j DROP\n`)
    }
  })

  it('ends what goes to the node, and lets exceptions pass before', () => {
    const allow = parseEgressAllow('10.0.0.5:3306, 10.0.0.6:80-90, [fd00::5]:443')
    const rules = linesOf(firewallText('v4', { ...SETTINGS, allow }, WITH_DOCKER), '-A BAKTER-')
    expect(rules.at(-1)).toBe('-A BAKTER-INPUT -i bkt+ -j DROP')
    for (const chain of ['FORWARD', 'INPUT']) {
      const passes = rules.indexOf(`-A BAKTER-${chain} -i bkt+ -d 10.0.0.5/32 -p tcp --dport 3306 -j RETURN`)
      const ends = rules.findIndex((rule) => rule.startsWith(`-A BAKTER-${chain}`) && rule.includes('10.0.0.0/8'))
      expect(passes).toBeGreaterThan(-1)
      if (chain === 'FORWARD') expect(passes).toBeLessThan(ends)
    }
    expect(rules).toContain('-A BAKTER-INPUT -i bkt+ -d 10.0.0.6/32 -p udp --dport 80:90 -j RETURN')
    expect(rules.join()).not.toContain('fd00')
  })

  it('opens one port at one address for one bridge, in the family of the address alone', () => {
    const doors = [
      { bridge: 'bkt0123456789ab', address: '10.213.0.9', port: 4_873 },
      { bridge: 'bktba9876543210', address: 'fd13::1', port: 4_873 },
    ]
    const four = linesOf(firewallText('v4', { ...SETTINGS, doors }, WITH_DOCKER), '-A BAKTER-')
    expect(four.filter((rule) => rule.includes('4873'))).toEqual([
      '-A BAKTER-INPUT -i bkt0123456789ab -d 10.213.0.9 -p tcp --dport 4873 -j ACCEPT',
      '-A BAKTER-INPUT ! -i lo -d 10.213.0.9 -p tcp --dport 4873 -j DROP',
    ])
    expect(four.at(-1)).toBe('-A BAKTER-INPUT -i bkt+ -j DROP')
    const six = linesOf(firewallText('v6', { ...SETTINGS, doors }, WITH_DOCKER), '-A BAKTER-')
    expect(six.filter((rule) => rule.includes('4873'))).toEqual([
      '-A BAKTER-INPUT -i bktba9876543210 -d fd13::1 -p tcp --dport 4873 -j ACCEPT',
      '-A BAKTER-INPUT ! -i lo -d fd13::1 -p tcp --dport 4873 -j DROP',
    ])
    expect([...four, ...six].filter((rule) => rule.includes('FORWARD') && rule.includes('ACCEPT'))).toEqual([])
  })

  it('never lets servers meet inside', () => {
    const rules = linesOf(firewallText('v4', SETTINGS, WITH_DOCKER), '-A BAKTER-FORWARD')
    expect(rules[1]).toBe('-A BAKTER-FORWARD -i bkt+ -o bkt+ -j DROP')
    expect(rules.join()).not.toContain('ACCEPT')
  })

  it('stops mail when the operator says so', () => {
    const mail = '-A BAKTER-FORWARD -i bkt+ -p tcp --dport 25 -j DROP\n'
    expect(firewallText('v4', SETTINGS, WITH_DOCKER)).not.toContain(mail)
    expect(firewallText('v4', { ...SETTINGS, blockMail: true }, WITH_DOCKER)).toContain(mail)
  })
})

describe('settings of the firewall', () => {
  it.each([
    '10.0.0.5',
    '10.0.0.5:0',
    '10.0.0.5:70000',
    'fd00::5:443',
    'db:3306',
    '10.0.0.1/8:1',
    '10.0.0.5:1;-j ACCEPT',
  ])('"%s" is no exception', (text) => {
    expect(() => parseEgressAllow(text)).toThrow(`"${text}" is no range and port`)
  })
  it('may be empty', () => {
    expect(parseEgressAllow(' , ')).toEqual([])
  })
  it("lets servers ask the node's name servers, but not a loopback's", () => {
    const found = resolverExceptions(
      '# x\nnameserver 127.0.0.53\nnameserver 10.0.0.2\nnameserver fd00::2\nsearch lan\n',
    )
    expect(found.map(({ range, firstPort, lastPort }) => [range.width, firstPort, lastPort])).toEqual([
      [32, 53, 53],
      [128, 53, 53],
    ])
  })
})
