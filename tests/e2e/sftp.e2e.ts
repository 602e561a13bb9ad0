import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { rentByApi } from '../support/journey.ts'
import { waitFor } from '../support/wait-for.ts'
import { expect, test } from './test.ts'

type Target = { readonly host: string; readonly port: string; readonly user: string }

/** OpenSSH's client with a key and these commands; resolves with its code and all that it says. */
const sftp = ({ host, port, user }: Target, key: string, commands: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentitiesOnly=yes', 'BatchMode=yes']
    const args = ['-F', '/dev/null', '-P', port, '-i', key, ...options.flatMap((option) => ['-o', option])]
    const child = execFile('sftp', [...args, '-b', '-', `${user}@${host}`], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
    child.stdin?.on('error', () => {}).end(commands.join('\n'))
  })

/** Where SFTP is, as the page says it. */
const targetOn = async (page: Page): Promise<Target & { fingerprint: string }> => {
  await page.getByRole('button', { name: 'Files by SFTP' }).click()
  const dialog = page.getByRole('dialog')
  const fact = async (label: string): Promise<string> =>
    ((await dialog.getByRole('button', { name: new RegExp(`^${label}: `) }).getAttribute('aria-label')) ?? '').slice(
      label.length + 2,
    )
  return {
    host: await fact('Host'),
    port: await fact('Port'),
    user: await fact('Username'),
    fingerprint: await fact('Fingerprint of the host key'),
  }
}

test('a customer adds a key, uploads by SFTP what the page then shows, and is cut off when the key goes; an app password is shown once', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'bakter-sftp-'))
  const key = path.join(folder, 'id')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'anna@laptop', '-f', key])
  const { serverId, password } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })

  await page.goto('/en/dashboard/settings/security#sftp')
  const panel = page.locator('#sftp')
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await panel.getByLabel('Public key').fill('ssh-rsa nonsense')
  await panel.getByLabel('Key name').fill('Laptop')
  await panel.getByLabel('Current password').fill(password)
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(panel.getByRole('alert')).toContainText('The key is not valid')
  await panel.getByLabel('Public key').fill(fs.readFileSync(`${key}.pub`, 'utf8').trim())
  await panel.getByLabel('Current password').fill(password)
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(panel.getByText('Laptop')).toBeVisible()
  await expect(panel.getByText(/^SHA256:/)).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.goto(`/en/panel/${serverId}/files`)
  const target = await targetOn(page)
  expect(await violations(page)).toEqual([])
  const scanned = execFileSync('ssh-keyscan', ['-T', '60', '-p', target.port, '-t', 'ed25519', target.host], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  fs.writeFileSync(path.join(folder, 'scanned'), scanned)
  expect(execFileSync('ssh-keygen', ['-lf', path.join(folder, 'scanned')], { encoding: 'utf8' })).toContain(
    target.fingerprint,
  )
  await page.keyboard.press('Escape')

  fs.writeFileSync(path.join(folder, 'motd.txt'), 'by SFTP')
  const upload = await sftp(target, key, [`put ${path.join(folder, 'motd.txt')} motd.txt`, 'ls'])
  expect([upload.code, upload.output]).toEqual([0, expect.stringContaining('motd.txt')])
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'motd.txt' })).toBeVisible()

  // An open connection that does something now and then ends with its key.
  const waiting = execFile('sftp', [
    '-F',
    '/dev/null',
    '-P',
    target.port,
    '-i',
    key,
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'IdentitiesOnly=yes',
    `${target.user}@${target.host}`,
  ])
  waiting.stdin?.on('error', () => {})
  const ended = new Promise<void>((resolve) => void waiting.once('exit', () => resolve()))
  let said = ''
  waiting.stdout?.on('data', (text: string) => (said += text))
  waiting.stdin?.write('pwd\n')
  await waitFor('the connection', () => said.includes('Remote working directory'))
  await page.goto('/en/dashboard/settings/security#sftp')
  await panel.getByRole('button', { name: 'Remove Laptop' }).click()
  await expect(panel.getByText('No SSH keys yet.')).toBeVisible()
  const asking = setInterval(() => waiting.stdin?.write('ls\n'), 500)
  await ended
  clearInterval(asking)
  expect((await sftp(target, key, ['pwd'])).code).not.toBe(0)
  await page.goto('/en/dashboard/settings/security#sftp')
  await panel.getByRole('button', { name: 'Create app password' }).click()
  await panel.getByLabel('Program').fill('WinSCP')
  await panel.getByLabel('Current password').fill('not the password')
  await panel.getByRole('button', { name: 'Create app password' }).click()
  await expect(panel.locator('.field__err')).toBeVisible()
  await panel.getByLabel('Current password').fill(password)
  await panel.getByRole('button', { name: 'Create app password' }).click()
  await expect(panel.getByText('The password of WinSCP. Copy it now')).toBeVisible()
  const shown = panel.getByRole('button', { name: /^App password: / })
  await expect(shown).toHaveAttribute('aria-label', /([a-z2-9]{5}-){4}[a-z2-9]{5}$/)
  expect(await violations(page)).toEqual([])
  await panel.getByRole('button', { name: "I've saved it" }).click()
  await expect(shown).toHaveCount(0)
  await panel.getByRole('button', { name: 'Remove WinSCP' }).click()
  await expect(panel.getByText('No app passwords yet.')).toBeVisible()
  await page.goto('/en/dashboard/activities')
  await expect(page.getByText('Added an SSH key').first()).toBeVisible()
  fs.rmSync(folder, { recursive: true })
})
