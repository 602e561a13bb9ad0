import { expect, test } from 'vitest'
import { levelOf } from '../../../../../src/features/console/log/line-level.ts'

test.each([
  ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', 'error'],
  ['java.lang.OutOfMemoryError', 'error'],
  ['    at TypeError: x is not a function', 'error'],
  ['[Server thread/ERROR]: Encountered an unexpected exception', 'error'],
  ['npm ERR! missing script', 'error'],
  ['Command not found', 'warning'],
  ['[ERR]: Command not found', 'warning'],
  ['Unknown command. Type "help" for help.', 'warning'],
  ['[Server thread/WARN]: Cannot keep up!', 'warning'],
  ['[Server thread/ERROR]: Could not pass event', 'error'],
  ['[main/WARN] Deprecated flag', 'warning'],
  ['<Panni> error is my favourite word', 'chat'],
  ['[12:00:01 INFO]: <Panni> hi', 'chat'],
  ['Preparing level "world"', 'plain'],
  ['[12:00:01] [INFO]: Done (1.2s)!', 'plain'],
  ['Loading Terrorism plugin', 'plain'],
  ['Anna joined the game', 'join'],
])('"%s" is shown as %s', (text, level) => {
  expect(levelOf({ stream: 'o', text })).toBe(level)
})

test('the class of an error counts on the error stream too', () => {
  expect(levelOf({ stream: 'e', text: 'java.lang.StackOverflowError' })).toBe('error')
})
