import { expect, it } from 'vitest'

import { refuseBadDoneTexts } from '@/cms/fields/done-texts.ts'

it.each(['Done!', 'regex:^Done \\(\\d+\\.\\d+s\\)', 'regex:(?i)server started', 'a (plain text\nDone'])(
  'saves %j',
  (text) => expect(refuseBadDoneTexts(text)).toBe(true),
)

it.each(['regex:(', 'Done\nregex:[a-', 'regex:(?P<name>x)'])('refuses %j with its reason', (text) => {
  expect(refuseBadDoneTexts(text)).toContain('Invalid regular expression')
})
