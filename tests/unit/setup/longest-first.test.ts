import { existsSync } from 'node:fs'

import { expect, test } from 'vitest'

import { LONGEST } from '../../setup/longest-first.ts'

test.each(LONGEST)('%s is a file of this repository', (file) => {
  expect(existsSync(`.${file}`)).toBe(true)
})
