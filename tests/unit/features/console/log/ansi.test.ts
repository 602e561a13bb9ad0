import { expect, test } from 'vitest'
import { ansiRuns, plainText } from '../../../../../src/features/console/log/ansi.ts'

const esc = String.fromCharCode(27)
const bell = String.fromCharCode(7)
const textOf = (line: string) =>
  ansiRuns(line)
    .map((run) => run.text)
    .join('')

test('colours become class names, and end where they end', () => {
  expect(ansiRuns(`a ${esc}[31mred${esc}[0m b`)).toEqual([
    { text: 'a ', className: '' },
    { text: 'red', className: 'ansi-red' },
    { text: ' b', className: '' },
  ])
  expect(ansiRuns(`${esc}[1;92;41mx${esc}[22;39;49my`)).toEqual([
    { text: 'x', className: 'ansi-green ansi-on-red ansi-bold' },
    { text: 'y', className: '' },
  ])
})

test('turned around and struck out are kept, and end as they began', () => {
  expect(ansiRuns(`${esc}[31;44;7mx${esc}[27my${esc}[0;9;4mz${esc}[29mw`)).toEqual([
    { text: 'x', className: 'ansi-inverse' },
    { text: 'y', className: 'ansi-red ansi-on-blue' },
    { text: 'z', className: 'ansi-underline ansi-struck' },
    { text: 'w', className: 'ansi-underline' },
  ])
})

test('extended colours become the nearest of the eight and swallow their own parameters', () => {
  expect(ansiRuns(`${esc}[38;5;196mx`)).toEqual([{ text: 'x', className: 'ansi-red' }])
  expect(ansiRuns(`${esc}[38;2;10;220;20;1mx`)).toEqual([{ text: 'x', className: 'ansi-green ansi-bold' }])
})

test.each([
  ['a title', `${esc}]0;owned${bell}x`],
  ['a link', `${esc}]8;;https://example.test${esc}\\x${esc}]8;;${esc}\\`],
  ['a write to the clipboard', `${esc}]52;c;aGk=${bell}x`],
  ['an unfinished sequence', `x${esc}]8;;https://example.test`],
  ['a cleared screen', `${esc}[2J${esc}[Hx`],
  ['a moved cursor', `${esc}[10Ax`],
  ['a device question', `${esc}[cx${esc}[6n`],
  ['a device string', `${esc}P1$r0m${esc}\\x`],
  ['a lone escape', `${esc}cx`],
  ['an eight-bit introducer', `${String.fromCharCode(0x9b)}2Jx`],
  ['a carriage return and a backspace', 'x\r\b'],
])('%s leaves the text alone', (_name, line) => {
  expect(textOf(line)).toBe('x')
  expect(plainText(line)).toBe('x')
})

test('marks that turn the direction around or take no room are written out', () => {
  const line = 'admin\u202e\u2066txt\u200b'
  expect(textOf(line)).toBe('admin[U+202E][U+2066]txt[U+200B]')
  expect(plainText(line)).toBe(textOf(line))
})

test('markup is text and nothing else', () => {
  const line = '<img src=x onerror=alert(1)> <a href="javascript:1">&lt;</a>'
  expect(ansiRuns(line)).toEqual([{ text: line, className: '' }])
})

test('class names come from a fixed list, whatever the parameters say', () => {
  const names = new Set<string>()
  for (let code = 0; code < 130; code += 1) {
    for (const run of ansiRuns(`${esc}[${code}mx`)) run.className.split(' ').forEach((name) => names.add(name))
  }
  for (const name of names) expect(name).toMatch(/^(ansi-(on-)?[a-z]+)?$/)
})
