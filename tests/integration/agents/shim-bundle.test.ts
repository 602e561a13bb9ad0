import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { bundleForTest, scratchFolder } from '../../support/agent-bundles.ts'

it('the shim that runs beside each server contains no package', async () => {
  const scratch = scratchFolder()
  onTestFinished(() => scratch.remove())
  const text = readFileSync((await bundleForTest(scratch.path)).shim, 'utf8')
  const imported = [...text.matchAll(/^\s*(?:import|export)\b[^'"]*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm)]
  const names = imported.map(([, fixed, late]) => fixed ?? late ?? '')
  expect(names).toContain('node:fs')
  expect(names.filter((name) => !isBuiltin(name))).toEqual([])
  // Packages that were bundled are named in comments.
  expect(text).not.toContain('node_modules/')
})
