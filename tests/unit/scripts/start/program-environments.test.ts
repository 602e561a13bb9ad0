import { expect, test } from 'vitest'

import { environmentsFor } from '../../../../scripts/start/program-environments.mjs'
import { settingsFrom } from '../../../../scripts/start/settings.mjs'

const mailFoldersWith = (inherited: Record<string, string>) => {
  const environments = environmentsFor({
    settings: settingsFrom({ BAKTER_DATA: '/data', ...inherited }),
    secrets: { secretsKey: 'a key' },
    databaseUrl: 'postgres://127.0.0.1/demo',
    buildId: 'a-build',
    npm: {},
    isDevelopment: false,
    inherited,
  })
  return { site: environments.site['MAIL_FOLDER'], plane: environments['control-plane']['MAIL_FOLDER'] }
}

test('the demo keeps its mails in a folder that both programs know', () => {
  expect(mailFoldersWith({})).toEqual({ site: '/data/mail', plane: '/data/mail' })
})

test('a mail server of the user is not passed over for the folder', () => {
  expect(mailFoldersWith({ SMTP_URL: 'smtp://127.0.0.1:25' }).plane).toBeUndefined()
})
