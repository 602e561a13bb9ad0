import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ownProcessFiles } from '../../setup/own-process-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('the files that would leave something for the next one of their process are found in every folder', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'inner'))
  const files = {
    // Put together, so that this file is none of them.
    'global.test.ts': `${'vi.'}stubGlobal('fetch', 1)`,
    'module.test.ts': `import { vi } from 'vitest'\n${'vi.'}mock('node:fs')`,
    'inner/page.test.tsx': `${'//'} @vitest-${'environment'} happy-dom\n`,
    'inner/reason.test.ts': `import x from 'x'\n\n${'//'} Needs a process of its own: it moves the clock of the process.\n`,
    'shared.test.ts': `const said = "${'//'} @vitest-${'environment'} happy-dom"\nvi.fn()\n`,
    'variables.ts': `Object.assign(${'process'}.env, { A: '1' })`,
    'inner/by-import.test.ts': `import { x } from '../between.ts'`,
    'between.ts': `import './variables.ts'\nimport './between.ts'`,
    'reads.test.ts': `const a = ${'process'}.env['A'] === '1'`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  expect(ownProcessFiles(folder)).toEqual(
    ['global.test.ts', 'inner/by-import.test.ts', 'inner/page.test.tsx', 'inner/reason.test.ts', 'module.test.ts'].map(
      (name) => join(folder, name),
    ),
  )
})
