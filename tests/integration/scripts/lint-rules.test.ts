import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { RULES, tidy } from '../../../scripts/rules/tidy-rules.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TOOLS = [
  'package.json',
  'tsconfig.json',
  '.oxlintrc.json',
  '.dependency-cruiser.cjs',
  'scripts/rules/oxlint-house-rules.mjs',
]
const LAYOUT =
  '```tree\nsrc/ x\nsrc/app/ x\nsrc/contracts/ x\nsrc/domain/ x\nsrc/features/ x\nsrc/messages/ x\ntests/ x\nscripts/ x\ndocs/ x\n```\n'

/** A small tree in which nothing is wrong. */
const CLEAN: Record<string, string> = {
  'docs/architecture.md': LAYOUT,
  'src/contracts/greeting.ts':
    "import * as z from 'zod'\n\n/** A greeting on the wire. */\nexport const greeting = z.string()\n",
  'src/domain/billing/price.ts':
    '/** Doubles a price. What for? For two of a thing, whatever it is. */\nexport function twice(price: bigint): bigint {\n  return price * 2n\n}\n',
  'src/features/greeting/queries.ts':
    "import { greeting } from '#contracts/greeting.ts'\n\nimport { twice } from '@/domain/billing/price.ts'\n\nexport const query = { greeting, twice }\n",
  'src/app/page.tsx': "import '@/features/greeting/queries.ts'\n",
  'tests/unit/domain/billing/price.test.ts': "import { twice } from '#domain/billing/price.ts'\n\ntwice(1n)\n",
  'tests/unit/features/greeting/queries.test.ts':
    "import { query } from '@/features/greeting/queries.ts'\n\nexport const used = query\n",
  ...Object.fromEntries(
    ['en', 'hu', 'de'].map((locale) => [`src/messages/${locale}.json`, '{"hello":"{name} <b>x</b>"}\n']),
  ),
}

const folders: string[] = []

function plant(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-lint-'))
  folders.push(folder)
  for (const path of TOOLS) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries({ ...CLEAN, ...files })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Runs an installed tool with JSON output; what it finds does not matter here, only that it answered. */
function run(folder: string, program: string, args: string[]): unknown {
  const done = spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 150_000,
    maxBuffer: 1 << 27,
  })
  try {
    return JSON.parse(done.stdout)
  } catch {
    throw new Error(`${program} did not answer with JSON:\n${done.stdout}\n${done.stderr}`)
  }
}

/** `rule file` of everything that oxlint reports. */
function oxlint(folder: string): string[] {
  const { diagnostics } = run(folder, 'oxlint/bin/oxlint', [
    '--format',
    'json',
    'src',
    'control-plane',
    'agents',
    'tests',
  ]) as {
    diagnostics: { code: string; filename: string }[]
  }
  return diagnostics.map(({ code, filename }) => `${code} ${filename}`)
}

/** `rule file` of everything that dependency-cruiser reports. */
function cruise(folder: string, ...roots: string[]): string[] {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...roots]
  const { summary } = run(folder, 'dependency-cruiser/bin/dependency-cruise.mjs', args) as {
    summary: { violations: { rule: { name: string }; from: string }[] }
  }
  return summary.violations.map(({ rule, from }) => `${rule.name} ${from}`)
}

const importing = (...modules: string[]) => modules.map((name) => `import '${name}'\n`).join('')

/** Rule -> the file that breaks it and its text. */
const CODE_RULES: Record<string, [string, string]> = {
  'house(no-ambient)': ['control-plane/money/orders/place.ts', 'export const at = Date.now()\n'],
  'house(no-ambient) import': [
    'agents/servers/name.ts',
    "import { randomUUID } from 'node:crypto'\n\nexport const name = randomUUID()\n",
  ],
  'house(no-ambient) date': ['src/domain/billing/now.ts', 'export const now = new Date()\n'],
  'house(zod-namespace)': ['src/contracts/bad.ts', "import { z } from 'zod'\n\nexport const bad = z.string()\n"],
  'house(no-raw-colour)': ['src/ui/signs/lamp.tsx', 'export const Lamp = () => <i className="p-2 bg-red-500" />\n'],
  'house(no-process-env)': ['src/lib/port.ts', 'export const port = process.env.PORT\n'],
  'house(exported-docs)': ['agents/console/split.ts', 'export function split(text: string) {\n  return text\n}\n'],
  'house(no-literal-spread)': ['src/lib/held.ts', 'export const held = { ...{ a: 1, b: 2 }, c: 3 }\n'],
  'house(no-literal-spread) array': ['src/lib/listed.ts', "export const listed = [...['a', 'b'], 'c']\n"],
  'house(subject-first)': ['src/lib/first.ts', '/** What a page shows first. */\nexport const first = 1\n'],
  'house(subject-first) who': ['src/lib/who.ts', '/** Who reads a page. */\nexport const who = 1\n'],
  'house(subject-first) later sentence': [
    'tests/unit/later.test.ts',
    '// It shows a page. Whoever\n// reads it sees a number.\nexport const later = 1\n',
  ],
  'house(one-client)': ['src/features/greeting/ask.ts', "export const ask = () => fetch('/api/status')\n"],
  'house(one-client) window': ['src/cms/admin/ask.ts', "export const ask = () => window.fetch('/api/status')\n"],
  'eslint(no-restricted-globals)': ['src/domain/billing/later.ts', 'setTimeout(() => undefined, 1)\n'],
  'eslint(max-lines-per-function)': ['src/lib/long.ts', `export function long() {\n${'  void 0\n'.repeat(71)}}\n`],
  'eslint(max-lines)': ['src/lib/big.ts', 'export const list = [\n' + "  'a',\n".repeat(400) + ']\n'],
  'eslint(max-params)': ['src/lib/many.ts', 'export const many = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d]\n'],
  'eslint(no-console)': ['control-plane/servers/nodes/say.ts', "console.log('x')\n"],
  'typescript(no-explicit-any)': ['src/lib/loose.ts', 'export const loose = (value: any) => value\n'],
  'typescript(consistent-type-imports)': [
    'src/lib/type.ts',
    "import { Stats } from 'node:fs'\n\nexport type Size = Stats\n",
  ],
  'typescript(no-non-null-assertion)': ['src/lib/sure.ts', 'export const sure = (value?: string) => value!.length\n'],
  'typescript(ban-ts-comment)': ['src/lib/quiet.ts', '// @ts-' + 'ignore\nexport const quiet = 1\n'],
  'import(no-default-export)': ['src/lib/nameless.ts', 'export default 1\n'],
  'unicorn(filename-case)': ['src/lib/badName.ts', 'export const name = 1\n'],
  'react-hooks(rules-of-hooks)': [
    'src/ui/hook.tsx',
    "import { useState } from 'react'\n\nexport const Hook = ({ on }: { on: boolean }) => (on ? useState(1)[0] : 2)\n",
  ],
  'vitest(no-focused-tests)': [
    'tests/unit/a.test.ts',
    "import { test } from 'vitest'\n\ntest.only('a', () => undefined)\n",
  ],
}

/** Rule -> the file that breaks it, its text, and the folder that is reported in place of the file. Imported files stand in TARGETS. */
const GRAPH_RULES: Record<string, [path: string, text: string, folder?: string]> = {
  'no-cycles': ['src/lib/cycle-a.ts', importing('./cycle-b.ts')],
  'no-unresolved': ['src/lib/lost.ts', importing('./nowhere.ts')],
  'no-orphans': ['src/lib/orphan.ts', 'export const orphan = 1\n'],
  'no-unreached': ['src/lib/unreached.ts', importing('./cn.ts')],
  'no-unreached control-plane': ['control-plane/money/orders/unreached.ts', importing('../../services.ts')],
  'no-unreached agents': ['agents/servers/unreached.ts', importing('../env.ts')],
  'domain-is-pure': ['src/domain/billing/impure.ts', importing('node:fs')],
  'contracts-are-schemas': ['src/contracts/heavy.ts', importing('uuid')],
  'platform-is-a-leaf': ['src/platform/heavy.ts', importing('#contracts/greeting.ts')],
  'platform-stays-on-servers': ['src/features/a/deep.tsx', `'use client'\n\n${importing('../../lib/cn.ts')}`],
  'message-text-is-a-leaf': ['src/message-text/knowing.ts', importing('#contracts/greeting.ts')],
  'site-is-alone': ['src/lib/reaching.ts', importing('../../control-plane/money/orders/order.ts')],
  'control-plane-is-alone': ['control-plane/money/orders/order.ts', importing('../../../src/lib/cn.ts')],
  'agents-are-alone': ['agents/servers/domain.ts', importing('#domain/billing/price.ts')],
  'source-ignores-tests': ['src/lib/tested.ts', importing('../../tests/support/target.ts')],
  'app-is-the-top': ['src/lib/routes.ts', importing('../app/page.tsx')],
  'server-is-the-top': ['src/lib/serving.ts', importing('../server/listen.ts')],
  'api-is-before-the-pages': ['src/features/a/asking.ts', importing('../../api/session.ts')],
  'api-knows-no-pages': ['src/api/drawing.ts', importing('../features/b/b.ts')],
  'features-are-siblings': ['src/features/a/a.ts', importing('../b/b.ts')],
  'below-features': ['src/lib/upward.ts', importing('../features/b/b.ts')],
  'ui-knows-no-business': ['src/ui/clever.ts', importing('../contracts/greeting.ts')],
  'client-parts-stay-client': ['src/features/a/components/button.tsx', importing('../../../api/session.ts')],
  'payload-door': ['src/features/a/load.ts', importing('payload')],
  'config-door': ['src/features/a/boot.ts', importing('../../../payload.config.ts')],
  'react-door': ['control-plane/money/orders/view.ts', importing('react')],
  'markdown-door': ['control-plane/money/orders/marks.ts', importing('mdast-util-from-markdown')],
  'mail-door': ['control-plane/money/orders/letter.ts', importing('nodemailer')],
  'mailbox-door': ['control-plane/tickets/mailbox.ts', importing('imapflow')],
  'mailbox-door postal-mime': ['control-plane/tickets/parsing.ts', importing('postal-mime')],
  'mails-are-parsed-in-a-thread': ['control-plane/tickets/reading.ts', importing('../messages/inbox/mail-content.ts')],
  'pdf-door': ['control-plane/money/orders/paper.ts', importing('@react-pdf/renderer')],
  'docker-door': ['agents/servers/docker.ts', importing('dockerode')],
  'gamedig-door': ['agents/servers/players.ts', importing('gamedig')],
  'bullmq-door': ['control-plane/money/orders/enqueue.ts', importing('bullmq')],
  'redis-door': ['control-plane/money/orders/cache.ts', importing('ioredis')],
  'websocket-door': ['control-plane/api/gateway/session.ts', importing('ws')],
  'postgres-door': ['control-plane/money/orders/query.ts', importing('pg')],
  'log-door': ['control-plane/money/orders/say.ts', importing('pino')],
  'password-door': ['src/lib/hash.ts', importing('@node-rs/argon2')],
  'stripe-door': ['control-plane/money/sale/charge.ts', importing('stripe')],
  'env-door': ['agents/servers/settings.ts', importing('../env.ts')],
  'adapters-through-catalog': ['agents/servers/direct.ts', importing('../runtime/docker/driver.ts')],
  'adapters-through-catalog virus-scan': ['src/lib/scan.ts', importing('#platform/virus-scan/clamd.ts')],
  'jobs-are-thin': ['control-plane/money/orders/queue.ts', importing('../../platform/jobs/job-catalog.ts')],
  'plan-is-pure': ['control-plane/servers/provisioning/plan.ts', importing('../../platform/clock.ts')],
  'api-points-down': ['control-plane/api/putting-together.ts', importing('../services.ts')],
  'people-points-down': ['control-plane/people/calling.ts', importing('../api/call.ts')],
  'tickets-points-down': ['control-plane/tickets/calling.ts', importing('../api/call.ts')],
  'tickets-move-no-money': ['control-plane/tickets/paying.ts', importing('../money/sale/sale.ts')],
  'tickets-are-for-doors': ['control-plane/people/answering.ts', importing('../tickets/calling.ts')],
  'money-points-down': ['control-plane/money/orders/composing.ts', importing('../../services.ts')],
  'servers-points-down': ['control-plane/servers/store/charging.ts', importing('../../money/sale/sale.ts')],
  'messages-points-down': ['control-plane/messages/mail/starting.ts', importing('../../servers/nodes/node.ts')],
  'cms-points-down': ['control-plane/cms/telling.ts', importing('../messages/notices/notice.ts')],
  'platform-points-down': ['control-plane/platform/reading.ts', importing('../cms/reader.ts')],
  'no-folder-cycles': [
    'control-plane/money/wallet/circle.ts',
    importing('../sale/circle.ts'),
    'control-plane/money/sale',
  ],
  'no-folder-cycles src': ['src/lib/one/circle.ts', importing('../two/circle.ts'), 'src/lib/two'],
  'no-folder-cycles agents': ['agents/stats/circle.ts', importing('../acme/circle.ts'), 'agents/acme'],
  'domain-is-tested': ['src/domain/billing/untested.ts', 'export const untested = 1\n'],
}

const TARGETS: Record<string, string> = {
  'src/lib/cycle-b.ts': importing('./cycle-a.ts'),
  'src/lib/cn.ts': importing('#platform/said.ts'),
  'src/platform/said.ts': '',
  'src/lib/one/line.ts': '',
  'src/lib/two/circle.ts': '',
  'src/lib/two/arc.ts': importing('../one/line.ts'),
  'agents/acme/circle.ts': '',
  'agents/acme/arc.ts': importing('../stats/line.ts'),
  'agents/stats/line.ts': '',
  'src/api/session.ts': '',
  'src/app/page.tsx': '',
  'src/server/listen.ts': '',
  'src/features/b/b.ts': '',
  'payload.config.ts': '',
  'agents/env.ts': '',
  'agents/runtime/docker/driver.ts': '',
  'control-plane/platform/jobs/job-catalog.ts': '',
  'control-plane/platform/clock.ts': '',
  'control-plane/messages/inbox/mail-content.ts': '',
  'src/platform/virus-scan/clamd.ts': '',
  'control-plane/api/call.ts': '',
  'control-plane/services.ts': '',
  'control-plane/money/sale/sale.ts': importing('../wallet/line.ts'),
  'control-plane/money/sale/circle.ts': '',
  'control-plane/money/wallet/line.ts': '',
  'control-plane/servers/nodes/node.ts': '',
  'control-plane/messages/notices/notice.ts': '',
  'control-plane/cms/reader.ts': '',
  'tests/support/target.ts': '',
}

/** Check of the tree -> the files that break it. */
const TREE_RULES: Record<keyof typeof RULES, Record<string, string>> = {
  'top-level': { 'notes.txt': '' },
  'kebab-case': { 'src/lib/Big.ts': '' },
  'forbidden-names': { 'src/lib/utils.ts': '' },
  'mirrored-tests': { 'tests/unit/domain/billing/gone.test.ts': '' },
  'tests-are-run': { 'src/lib/lost.test.ts': '' },
  'file-length': { 'src/lib/long.ts': '\n'.repeat(401) + 'x' },
  'folder-size': Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`src/lib/crowd/one-${at}.ts`, ''])),
  unfinished: { 'src/lib/later.ts': '// TODO: later\n' },
  suppressions: { 'src/lib/quiet.ts': '// eslint-disable-next-line no-console\n' },
  'machine-paths': { 'src/lib/here.ts': "export const here = '/tmp/x'\n" },
  amounts: {
    'src/features/greeting/price-text.ts': 'export const text = (price: number) => `${price} Ft`\n',
  },
  'skipped-tests': { 'tests/integration/a.test.ts': "test.skip('a', () => undefined)\n" },
  'pinned-versions': { 'package.json': '{"dependencies":{"a":"^1.0.0"}}' },
  'locked-hashes': {
    'package-lock.json': '{"packages":{"":{},"node_modules/a":{"version":"1.0.0","os":["linux"],"cpu":["x64"]}}}',
  },
  'message-catalogs': { 'src/messages/hu.json': '{"hello":"{who} <b>x</b>"}' },
  picture: { 'src/ui/controls/button.tsx': '' },
  'named-paths': { 'docs/testing.md': 'The door is `src/domain/billing/door.ts`.\n' },
}

describe('a clean tree passes', () => {
  test('oxlint, dependency-cruiser and tidy find nothing', async () => {
    const folder = plant({})
    expect(oxlint(folder)).toEqual([])
    expect(cruise(folder, 'src', 'tests')).toEqual([])
    expect((await tidy(folder)).problems).toEqual([])
  })
})

describe('oxlint', () => {
  let found: string[]
  beforeAll(() => {
    found = oxlint(plant(Object.fromEntries(Object.values(CODE_RULES))))
  })

  test.each(Object.entries(CODE_RULES))('%s is reported', (rule, [path]) => {
    expect(found).toContain(`${rule.split(' ')[0]} ${path}`)
  })
})

describe('dependency-cruiser', () => {
  let found: string[]
  beforeAll(() => {
    const planted = Object.values(GRAPH_RULES).map(([path, text]) => [path, text])
    const folder = plant({ ...TARGETS, ...Object.fromEntries(planted) })
    found = cruise(folder, 'src', 'control-plane', 'agents', 'tests', 'payload.config.ts')
  })

  test.each(Object.entries(GRAPH_RULES))('%s is reported', (rule, [path, , folder]) => {
    expect(found).toContain(`${rule.split(' ')[0]} ${folder ?? path}`)
  })

  test('every rule of the configuration has its violation here', () => {
    const { forbidden } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[]
    }
    const planted = new Set(Object.keys(GRAPH_RULES).map((rule) => rule.split(' ')[0]))
    expect(forbidden.map(({ name }) => name).toSorted()).toEqual([...planted].toSorted())
  })
})

describe('tidy', () => {
  test.each(Object.entries(TREE_RULES))('%s is reported', async (rule, files) => {
    const { problems } = await tidy(plant(files))
    expect(problems.map((problem) => problem.rule)).toContain(rule)
  })

  test('every check has its violation here', () => {
    expect(Object.keys(TREE_RULES)).toEqual(Object.keys(RULES))
  })

  test('a page of docs may name files and folders by the end of their paths', async () => {
    const page =
      'Prices are in `billing/price.ts` and `domain/billing`, its test is `unit/domain/billing/price`, `dist/` is built.\n'
    expect((await tidy(plant({ 'docs/testing.md': page }))).problems).toEqual([])
  })

  test('a page of docs that names a folder or a test which is gone is reported', async () => {
    const { problems } = await tidy(plant({ 'docs/testing.md': '`domain/money/`, `unit/domain/billing/gone`\n' }))
    expect(problems.map(({ message }) => message)).toEqual([
      'names domain/money/, which does not exist',
      'names unit/domain/billing/gone, which does not exist',
    ])
  })

  test('a plural here and the bare number there are the same argument', async () => {
    const catalogs = {
      'src/messages/en.json': '{"n":"{n, plural, one {# day} other {# days}}"}',
      'src/messages/hu.json': '{"n":"{n} nap"}',
      'src/messages/de.json': '{"n":"{n, plural, one {# Tag} other {# Tage}}"}',
    }
    expect((await tidy(plant(catalogs))).problems).toEqual([])
  })

  test('a key that one language lacks and a message that does not parse are reported', async () => {
    const { problems } = await tidy(
      plant({ 'src/messages/hu.json': '{}', 'src/messages/de.json': '{"hello":"{name"}' }),
    )
    const messages = problems.map(({ path, message }) => `${path} ${message}`)
    expect(messages).toContain('src/messages/hu.json hello is missing')
    expect(messages.some((text) => text.startsWith('src/messages/de.json hello:'))).toBe(true)
  })
})
