import { describe, expect, it } from 'vitest'
import { parseRules } from '#domain/startup/rules.ts'
import { isSecretVariable, variableKind } from '#domain/startup/variable-kind.ts'

const kindOf = (rules: string, preset = '') => variableKind(parseRules(rules).rules, preset)

describe('the control of a variable', () => {
  it.each([
    ['required|string|max:20', '', { is: 'text' }],
    ['required|integer|between:1,200', '20', { is: 'number', minimum: 1, maximum: 200 }],
    ['nullable|numeric|min:0.5', '', { is: 'number', minimum: 0.5, maximum: null }],
    ['in:easy,normal,hard', 'easy', { is: 'choice', options: ['easy', 'normal', 'hard'] }],
    ['boolean', '1', { is: 'switch', on: '1', off: '0' }],
    ['boolean', '', { is: 'switch', on: '1', off: '0' }],
    ['boolean', 'true', { is: 'switch', on: 'true', off: 'false' }],
    ['in:False,True', 'True', { is: 'switch', on: 'True', off: 'False' }],
    ['in:0,1', '0', { is: 'switch', on: '1', off: '0' }],
    // Three answers: unset is none of the two.
    ['in:0,1', '', { is: 'choice', options: ['0', '1'] }],
    ['in:0,2', '0', { is: 'choice', options: ['0', '2'] }],
  ])('%s with the default %j', (rules, preset, kind) => {
    expect(kindOf(rules, preset)).toEqual(kind)
  })
})

describe('a variable is secret', () => {
  it.each([
    'RCON_PASSWORD',
    'DISCORD_TOKEN',
    'API_KEY',
    'SERVER_PASS',
    'ADMIN_PW',
    'SERVER_PWD',
    'SRCDS_GSLT',
    'STEAM_ACC',
    'CLIENT_SECRET',
    'APIKEY',
    'CFX_LICENSE',
    'BOT_TOKEN_2',
  ])('by its name %s', (environmentVariable) => {
    expect(isSecretVariable({ environmentVariable })).toBe(true)
  })

  it.each(['MAX_PLAYERS', 'SERVER_MOTD', 'PASSTHROUGH_MODE', 'KEYBOARD', 'TOKENS_PER_DAY'])(
    'but not %s',
    (environmentVariable) => {
      expect(isSecretVariable({ environmentVariable })).toBe(false)
      expect(isSecretVariable({ environmentVariable, secret: true })).toBe(true)
    },
  )
})
