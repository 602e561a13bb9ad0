import { describe, expect, it } from 'vitest'
import { motdLines } from '../../../../../src/features/files/properties/motd.ts'

const looks = (message: string) =>
  motdLines(message).map(({ pieces }) => pieces.map(({ text, color, isBold }) => [text, color, isBold]))

describe('a message of the server list', () => {
  it.each([
    ['plain', [[['plain', '7', false]]]],
    [
      '§aGreen §lbold',
      [
        [
          ['Green ', 'a', false],
          ['bold', 'a', true],
        ],
      ],
    ],
    ['§l§cRed', [[['Red', 'c', false]]]],
    [
      '§c§lRed§r plain',
      [
        [
          ['Red', 'c', true],
          [' plain', '7', false],
        ],
      ],
    ],
    ['§AUpper', [[['Upper', 'a', false]]]],
    ['§6one\ntwo\nthree', [[['one', '6', false]], [['two', '6', false]]]],
    ['', [[]]],
    ['end§', [[['end', '7', false]]]],
  ])('%j', (message, expected) => {
    expect(looks(message)).toEqual(expected)
  })
})
