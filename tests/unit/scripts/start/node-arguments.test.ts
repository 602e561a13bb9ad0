import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AGENT_ARGUMENTS, nodeArguments, SITE_ARGUMENTS } from '../../../../scripts/start/node-arguments.mjs'

/** The command of an image, as its Dockerfile has it. */
const commandIn = (file: string): unknown =>
  JSON.parse(/^CMD (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 'null') as unknown

test('the image of the site starts it as npm start does', () => {
  const command = ['node', ...nodeArguments(false), ...SITE_ARGUMENTS, 'dist/site.mjs']
  expect(commandIn('src/server/Dockerfile')).toEqual(command)
})

test('the image of the agent gives short-lived objects as little room as npm start does', () => {
  expect(commandIn('agents/Dockerfile')).toEqual(expect.arrayContaining([...AGENT_ARGUMENTS]))
})
