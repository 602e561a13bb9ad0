import { letter, letterWithFiles } from './letters.ts'

export type HostileMail = { readonly name: string; readonly source: Buffer }

/** Where a mail would become a message, who may write there, and addresses that were signed for others. */
export type Target = { readonly to: string; readonly from: string; readonly forged: readonly string[] }

const nested = (depth: number): string => {
  let [open, close] = ['', '']
  for (let at = 0; at < depth; at += 1) {
    open += `--b${at}\r\nContent-Type: multipart/mixed; boundary="b${at + 1}"\r\n\r\n`
    close = `--b${at + 1}--\r\n${close}`
  }
  return `${open}--b${depth}\r\nContent-Type: text/plain\r\n\r\ndeep\r\n${close}--b0--`
}

const multipart = 'MIME-Version: 1.0'
const bomb = (target: Target): HostileMail[] => [
  ...[13, 50, 300, 2_000].map((depth) => ({
    name: `${depth} levels of parts`,
    source: letter({
      ...target,
      headers: [multipart, 'Content-Type: multipart/mixed; boundary="b0"'],
      body: nested(depth),
    }),
  })),
  ...[5_000, 100_000, 1_000_000].map((count) => ({
    name: `${count} empty parts`,
    source: letter({
      ...target,
      headers: [multipart, 'Content-Type: multipart/mixed; boundary="x"'],
      body: '--x\r\n\r\n'.repeat(count),
    }),
  })),
  ...[1, 20].map((megabytes) => ({
    name: `headers of ${megabytes} MB`,
    source: letter({ ...target, headers: [`X-Filler: ${'a'.repeat(megabytes * 1_048_576)}`] }),
  })),
  ...[10_000, 200_000].map((count) => ({
    name: `${count} headers`,
    source: letter({ ...target, headers: Array.from({ length: count }, (_, at) => `X-${at}: some text that fills`) }),
  })),
  {
    name: 'a million folded lines of one header',
    source: letter({ ...target, headers: [`X-Fold: a${'\r\n b'.repeat(1_000_000)}`] }),
  },
]

/** From a stranger: each of them takes a reader of every pair of lines, or of lines without number, a minute. */
const lines = ({ to }: Target): HostileMail[] =>
  [
    { name: '40000 lines of two dashes in base64', way: 'base64', body: '--\n'.repeat(40_000) },
    { name: '130000 lines of two dashes in base64', way: 'base64', body: '--\n'.repeat(130_000) },
    { name: '40000 lines of two dashes in HTML', type: 'text/html', body: '--<br>'.repeat(40_000) },
    { name: '2 million short lines', body: 'a\n'.repeat(2_000_000) },
    { name: '6 million empty lines', body: '\n'.repeat(6_000_000) },
  ].map(({ name, way = '7bit', type = 'text/plain', body }, at) => ({
    name,
    source: letter({
      to,
      from: `eve-of-lines${at}@evil.example`,
      headers: [multipart, `Content-Type: ${type}; charset=utf-8`, `Content-Transfer-Encoding: ${way}`],
      body:
        way === 'base64'
          ? Buffer.from(body)
              .toString('base64')
              .replaceAll(/(.{76})/g, '$1\r\n')
          : body,
    }),
  }))

/** Each of them would be a message if nobody looked. */
const automatic = (target: Target): HostileMail[] =>
  [
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated',
    'AUTO-SUBMITTED: Auto-Notified; owner=x',
    'Auto-Submitted: =?utf-8?q?auto-replied?=',
    'Precedence: bulk',
    'Precedence: junk',
    'Precedence: list',
    'precedence:   AUTO_REPLY',
    'List-Id: <list.example.test>',
    'List-Unsubscribe: <mailto:x@example.test>',
    'List-Post: NO',
    'X-Autoreply: yes',
    'X-Autorespond: out of office',
    'X-Auto-Reply: 1',
    'X-Loop: tickets@host.example',
    'Return-Path: <>',
    'Return-Path:',
  ].map((header) => ({ name: header, source: letter({ ...target, headers: [header] }) }))

const senders = ({ to, from }: Target): HostileMail[] =>
  [
    `${from}, eve@evil.example`,
    `"${from}" <eve@evil.example>`,
    `${from} <eve@evil.example>`,
    `=?utf-8?q?${from.replace('@', '=40')}?= <eve@evil.example>`,
    `friends: ${from}, eve@evil.example;`,
    `<eve@evil.example> <${from}>`,
    `eve@evil.example (${from})`,
    `"${from}"@evil.example`,
    `${from}.evil.example`,
    `${from}\u0000@evil.example`,
    `${from.replace('a', 'а')}`,
    `<>`,
    '',
    'undisclosed-recipients:;',
    `x${from}`,
    `MAILER-DAEMON@example.test`,
    `postmaster@example.test`,
    `noreply@host.example`,
    to,
    'tickets@host.example',
    `${from.split('@')[0] ?? ''}@`,
    `@${from.split('@')[1] ?? ''}`,
    'a'.repeat(5_000),
    `${'a,'.repeat(20_000)}${from}`,
    `${'('.repeat(10_000)}${from}`,
    `${'"'.repeat(9_999)}${from}`,
    `${'<'.repeat(10_000)}${from}`,
  ].map((sender) => ({ name: `from ${sender.slice(0, 60)}`, source: letter({ to, from: sender }) }))

const twoFroms = ({ to, from }: Target): HostileMail => ({
  name: 'two senders in two headers',
  source: letter({ to, from, headers: ['From: eve@evil.example'] }),
})

const forged = ({ forged: others, from, to }: Target): HostileMail[] => {
  const [local = '', domain = ''] = to.split('@')
  const flipped = Array.from({ length: 16 }, (_, at) => {
    const place = local.length - 1 - at
    return `${local.slice(0, place)}${local[place] === 'a' ? 'b' : 'a'}${local.slice(place + 1)}@${domain}`
  })
  const changed = [
    ...flipped,
    `${local}a@${domain}`,
    `${local.slice(0, -1)}@${domain}`,
    `${local}@evil.example`,
    `${local}@${domain}.evil.example`,
    `x${local}@${domain}`,
    `${local.replace('+r', '+b')}@${domain}`,
    `tickets+@${domain}`,
    `tickets+r@${domain}`,
    `tickets+${'r'.repeat(5_000)}@${domain}`,
    `tickets+r' or 1=1 --@${domain}`,
    ...others,
  ]
  return changed.map((address, at) => ({ name: `forged address ${at}`, source: letter({ to: address, from }) }))
}

const encodings = ({ to }: Target): HostileMail[] => {
  // A mail of nobody: broken forms are read, and change nothing.
  const from = 'eve@evil.example'
  const types = [
    'text/plain; charset=utf-7',
    'text/plain; charset=x-unknown',
    `text/plain; charset=${'a'.repeat(10_000)}`,
    'text/plain; charset="\u0000"',
    'text/plain; charset=iso-2022-jp',
    'text/plain; charset=utf-16',
    'text/plain; charset=utf-32',
    'text/html; charset=gb18030',
    'multipart/mixed',
    'multipart/mixed; boundary=',
    'multipart/mixed; boundary=""',
    `multipart/mixed; boundary="${'x'.repeat(10_000)}"`,
    'multipart/alternative; boundary="--"',
    'message/rfc822',
    'message/partial; id=1; number=1; total=9',
    'message/external-body; access-type=local-file; name="/etc/passwd"',
    'text/html',
    '/',
    ';;;;',
    'text/plain; name*0*=utf-8%27%27a; name*1=b; name*9999999=c',
    'application/ms-tnef; name=winmail.dat',
  ]
  const ways = ['7bit', 'base64', 'quoted-printable', 'x-uuencode', 'gzip']
  return types.flatMap((type, at) => {
    const way = ways[at % ways.length] ?? '7bit'
    const body = '=ZZ\u0000\uFFFD====\r\n+ADw-script+AD4-\r\n\u001B$B\u0000<img src=x onerror=alert(1)>'
    const mail = { to, from: at % 2 === 0 ? from : `eve${at}@evil.example` }
    return ['', '=?utf-8?b?////?= =?x?q?=?= =?utf-8?b??='].map((subject) => ({
      name: `${type.slice(0, 60)} as ${way} ${subject}`,
      source: letter({
        ...mail,
        subject,
        headers: [multipart, `Content-Type: ${type}`, `Content-Transfer-Encoding: ${way}`],
        body,
      }),
    }))
  })
}

const bytes = (): HostileMail[] => [
  { name: 'nothing', source: Buffer.alloc(0) },
  { name: 'a line end', source: Buffer.from('\r\n') },
  { name: 'zeros', source: Buffer.alloc(100_000) },
  { name: 'ones', source: Buffer.alloc(100_000, 0xff) },
  { name: 'no headers', source: Buffer.from('\r\n\r\nHello') },
  { name: 'only headers', source: Buffer.from('From: a@b.example\r\nTo: tickets@host.example') },
  ...Array.from({ length: 60 }, (_, seed) => {
    // A generator of its own, so that each run has the same bytes.
    let state = seed + 1
    const source = Buffer.from(
      Array.from({ length: 3_000 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        return state % 256
      }),
    )
    return { name: `noise ${seed}`, source }
  }),
]

const files = ({ to }: Target): HostileMail[] =>
  ['../../etc/passwd', 'a.html', 'con', `${'x'.repeat(9_000)}.txt`, 'a\u202Egnp.exe', '.htaccess'].map((name) => ({
    name: `a stranger's file ${name.slice(0, 20)}`,
    source: letterWithFiles([{ type: 'image/png', name, bytes: '<script>alert(1)</script>' }], {
      to,
      from: 'eve@evil.example',
    }),
  }))

const bounces = ({ to }: Target): HostileMail[] =>
  [to, 'tickets@host.example', `tickets+b${'a'.repeat(42)}@host.example`].map((address, at) => ({
    name: `a forged report ${at}`,
    source: letter({
      from: 'MAILER-DAEMON@evil.example',
      to: address,
      headers: [multipart, 'Content-Type: multipart/report; report-type=delivery-status; boundary="r"'],
      body: '--r\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; anna@example.test\r\nAction: failed\r\nStatus: 5.1.1\r\n--r--',
    }),
  }))

/** More than 200 mails none of which may become a message. */
export const hostileMails = (target: Target): HostileMail[] => [
  ...bomb(target),
  ...lines(target),
  ...automatic(target),
  ...senders(target),
  twoFroms(target),
  ...forged(target),
  ...encodings(target),
  ...bytes(),
  ...files(target),
  ...bounces(target),
]
