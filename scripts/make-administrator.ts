// Makes an account an administrator, because nobody in /admin can do it for the first one. Takes DATABASE_URL from the
// environment, and the account's user name or e-mail address as its argument.
import { makeAdministrator } from '../src/cms/make-administrator.ts'

const url = process.env['DATABASE_URL']
const [account] = process.argv.slice(2)
if (!url || !account) {
  console.error(url ? 'Name the account: its user name or its e-mail address.' : 'DATABASE_URL is missing.')
  process.exit(1)
}
const username = await makeAdministrator(url, account)
if (username === undefined) {
  console.error(`There is no account "${account}": register it on the site first.`)
  process.exit(1)
}
console.log(`${username} is an administrator.`)
process.exit(0)
