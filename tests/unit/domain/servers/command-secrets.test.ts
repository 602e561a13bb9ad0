import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandWithoutSecrets, HIDDEN } from '../../../../src/domain/servers/command-secrets.ts'

describe('a console command in the log of activities', () => {
  test.each([
    ['login hunter2', `login ${HIDDEN}`],
    ['/login hunter2', `/login ${HIDDEN}`],
    ['/authme:register hunter2 hunter2', `/authme:register ${HIDDEN}`],
    ['REGISTER hunter2', `REGISTER ${HIDDEN}`],
    ['rcon_password "a b"', `rcon_password ${HIDDEN}`],
    ['set sv_password hunter2', `set sv_password ${HIDDEN}`],
    ['sets steam_token=abc', `sets steam_token=${HIDDEN}`],
    ['start --password: hunter2 --port 1', `start --password: ${HIDDEN}`],
    ['lp user anna meta set api-key 1', `lp user anna meta set api-key ${HIDDEN}`],
    [`use 0123456789abcdef0123456789ABCDEF now`, `use ${HIDDEN} now`],
    ['key sk_live_0123456789ab', `key ${HIDDEN}`],
    ['t eyJhbGciOi.eyJzdWIi.sig', `t ${HIDDEN}`],
  ])('hides the secret of %s', (line, expected) => expect(commandWithoutSecrets(line)).toBe(expected))

  test.each([
    'say hello everyone',
    'op anna',
    'give anna diamond_sword 1',
    'tp anna 1 2 3',
    'login',
    'whitelist add bypass',
    'time set day',
    '',
  ])('leaves %j alone', (line) => expect(commandWithoutSecrets(line)).toBe(line))

  const names = fc.constantFrom('password', 'Passwd', 'api_key', 'TOKEN', 'sv_password', 'client-secret', 'pwd', 'rcon')
  const value = fc.stringMatching(/^[a-z0-9]{6,20}$/).map((text) => `canary${text}`)
  const sign = fc.constantFrom(' ', '=', ': ', ' = ', '  ')
  const harmless = fc.constantFrom('say', 'set', 'exec plugin', 'lp user anna', '/config')

  test('no value behind the name of a secret is kept, whatever stands between and after them', () => {
    fc.assert(
      fc.property(harmless, names, sign, value, fc.string(), (before, name, between, secret, after) => {
        expect(commandWithoutSecrets(`${before} ${name}${between}${secret} ${after}`)).not.toContain(secret)
      }),
    )
  })

  test('hiding again changes nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(harmless, names, sign, value).map((all) => all.join(' ')),
        ),
        (line) => {
          const once = commandWithoutSecrets(line)
          expect(commandWithoutSecrets(once)).toBe(once)
        },
      ),
    )
  })
})
