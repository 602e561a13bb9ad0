import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactLog } from '../../../../src/domain/servers/redaction.ts'

const HEX = '0123456789abcdef0123456789abcdef'
// Joined here, so that no scanner of this repository takes an example for a secret.
const discordToken = ['MTA5ODc2NTQzMjEwOTg3NjU0Mw', 'GaBcDe', 'abcdefghijklmnopqrstuvwxyz0123456789AB'].join('.')
const webToken = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'c2lnbmF0dXJl'].join('.')

describe('what leaves a log', () => {
  it.each([
    ['Steve[/203.0.113.9:51234] logged in', 'Steve[/[ip]:51234] logged in'],
    ['from 10.0.0.1, 10.0.0.2.', 'from [ip], [ip].'],
    ['v10.0.0.1', 'v[ip]'],
    ['[/2001:db8:0:0:0:0:0:1:25565] left', '[/[ip]] left'],
    ['bound to [2001:db8::17]:443', 'bound to [[ip]]:443'],
    ['listening on ::1', 'listening on [ip]'],
    ['peer ::ffff:192.0.2.7 closed', 'peer ::ffff:[ip] closed'],
    ['mail to anna.kiss+x@mail.example.com failed', 'mail to [e-mail] failed'],
    ['írj ide: ödön@példa.hu', 'írj ide: [e-mail]'],
    [`token=${webToken};`, 'token=[token];'],
    [`login ${discordToken}`, 'login [token]'],
    [
      'POST https://discord.com/api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ',
      'POST https://discord.com/api/webhooks/123456789012345678/[token]',
    ],
    [`key sk_${'live_4eC39HqLyjWD'} used`, 'key [token] used'],
    [`sv_licenseKey cfxk_${'1a2B3c4D5e6F_abc'}`, 'sv_licenseKey [token]'],
    [`session ${HEX}ff ok`, 'session [token] ok'],
    [`x${HEX}z`, 'x[token]z'],
    ['\u001B[32m203.0.113.9\u001B[0m joined', '\u001B[32m[ip]\u001B[0m joined'],
    ['\u001B[1;31mfe80::1\u001B[0m', '\u001B[1;31m[ip]\u001B[0m'],
    ['§afe80::1§r left', '§a[ip]§r left'],
  ])('%j becomes %j', (line, shown) => {
    expect(redactLog(line)).toBe(shown)
  })
})

describe('what stays in a log', () => {
  it.each([
    '[12:34:56] [Server thread/INFO]: Steve joined the game',
    'UUID of player Steve is 8667ba71-b85a-4004-af54-457a9734eed7',
    'Loading Forge 1.20.1-47.2.0, build 1.2.3.4.5',
    'Time elapsed: 4012 ms, 999.1.2.3',
    'at std::vector::push_back',
    'Foo::Bar and a :: b',
    'commit 0123456789abcdef',
    '@everyone hello',
    'Steve: sk_ and pk_x',
  ])('%j', (line) => {
    expect(redactLog(line)).toBe(line)
  })
})

const octet = fc.integer({ min: 0, max: 255 })
const address = fc.oneof(
  fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.')),
  fc.ipV6().filter((text) => !text.includes('.') && text !== '::'),
  fc.emailAddress().filter((text) => /^[\w.%+-]+@/.test(text)),
)

describe('for every log', () => {
  it('no address between two words remains', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(redactLog(`player ${text} left`)).not.toContain(text)
      }),
    )
  })

  it('a repetition changes nothing, and lines stay lines', () => {
    const piece = fc.oneof(
      fc.string(),
      address,
      fc.constantFrom('\n', webToken, discordToken, HEX, '\u001B[31m', ':', '.'),
    )
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const shown = redactLog(text)
          expect(redactLog(shown)).toBe(shown)
          expect(shown.split('\n')).toHaveLength(text.split('\n').length)
        },
      ),
    )
  })
})
