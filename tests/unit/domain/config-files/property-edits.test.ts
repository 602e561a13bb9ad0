import { expect, it } from 'vitest'
import { withEdits, withoutEdits } from '../../../../src/domain/config-files/property-edits.ts'

const TEXT = '#Minecraft\nserver-port: 25565\nmotd=Hi\\u00e9\n'
const EDITS = [
  { key: 'server-port', from: '25565', to: '27100' },
  { key: 'rcon.port', from: null, to: '27101' },
]

it('new values are written, and everything else stays', () => {
  expect(withEdits(TEXT, EDITS)).toBe('#Minecraft\nserver-port: 27100\nmotd=Hi\\u00e9\nrcon.port=27101\n')
})

it('of several entries of a key the one that the server sees is changed', () => {
  expect(withEdits('server-port=1\nserver-port=2\n', EDITS.slice(0, 1))).toBe('server-port=1\nserver-port=27100\n')
})

it('the earlier values return into a file that the server has written itself, missing ones as their preset', () => {
  expect(withoutEdits('#Sun\nrcon.port=27101\nmotd=x\nserver-port=27100\n', EDITS)).toBe(
    '#Sun\nrcon.port=25575\nmotd=x\nserver-port=25565\n',
  )
})

it('a value that somebody has changed since stays', () => {
  expect(withoutEdits('server-port=27100\nrcon.port=5\n', EDITS)).toBeUndefined()
  expect(withoutEdits('rcon.port=27101\n', EDITS)).toBeUndefined()
})

it('a file that Java refuses is not touched', () => {
  expect(withEdits('motd=\\u00zz\n', EDITS)).toBeUndefined()
  expect(withoutEdits('server-port=27100\nrcon.port=27101\nmotd=\\u00zz\n', EDITS)).toBeUndefined()
})
