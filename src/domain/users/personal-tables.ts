/**
 * A table with personal data. `columns` identify the person: the first one is compared unless `match` says otherwise
 * ($1 is the person's id, $2 the e-mail address, which is null if none is known to be theirs).
 */
export type PersonalTable = {
  readonly owner: 'site' | 'control plane'
  /** Including its schema. */
  readonly table: string
  readonly columns: readonly string[]
  readonly match?: string
  /**
   * The columns of the data export: all but those in `without`, in the order of `key`. `file` is a column of bytes, exported as `base64` beside the
   * columns in `beside`; such rows are read one at a time. Null requires a reason.
   */
  readonly export:
    | { readonly key: string; readonly without?: readonly string[]; readonly file?: undefined }
    | { readonly key: string; readonly file: string; readonly beside: readonly string[] }
    | null
  /** Why nothing is exported. */
  readonly notExported?: string
  readonly onDeletion: 'delete' | 'keep' | 'pseudonymise'
  /** For `pseudonymise`: SQL expressions that replace identifying columns. */
  readonly blanks?: Readonly<Record<string, string>>
  /** For `delete`: rows that stay because they are about somebody else's, with these columns replaced. */
  readonly keeps?: { readonly where: string; readonly blanks: Readonly<Record<string, string>> }
  /** For `delete`: rows of other people that quote the person, with these columns replaced. */
  readonly quotes?: { readonly where: string; readonly blanks: Readonly<Record<string, string>> }
  /** Why it is kept. */
  readonly keptFor?: string
}

const SECRETS = 'only secrets and their times'
const BOOKS = 'the books: kept for eight years, with nothing but the id of the account'

const site = (
  table: string,
  rest: Omit<PersonalTable, 'owner' | 'table' | 'columns'> & { columns?: readonly string[] },
): PersonalTable => ({ owner: 'site', table, columns: ['user_id'], ...rest })

const control = (
  table: string,
  rest: Omit<PersonalTable, 'owner' | 'table' | 'columns'> & { columns?: readonly string[] },
): PersonalTable => ({ owner: 'control plane', table: `control.${table}`, columns: ['user_id'], ...rest })

// The row stays, because the books refer to its id; its names are free again and it contains no personal data.
const PERSON = site('public.users', {
  columns: ['id'],
  // The address is exported separately: the row may contain a stand-in, which would reveal that somebody else owns the
  // address (case 15).
  export: { key: 'id', without: ['email'] },
  onDeletion: 'pseudonymise',
  blanks: {
    // With a dot, which no chosen user name contains.
    username: `'deleted.' || identifier`,
    email: `id || '@deleted.invalid'`,
    verified: 'false',
    suspended: 'false',
    contact_first_name: 'null',
    contact_last_name: 'null',
    contact_street_and_house_number: 'null',
    contact_postal_code: 'null',
    contact_city: 'null',
    contact_phone_number: 'null',
    billing_country: 'null',
    billing_company: 'null',
    billing_tax_number: 'null',
    invoice_type: `'electronic'`,
    language: `'en'`,
    time_zone: 'null',
  },
})

const SITE_TABLES: readonly PersonalTable[] = [
  site('public.users_rels', { columns: ['parent_id'], export: { key: 'id' }, onDeletion: 'delete' }),
  site('public.payload_preferences_rels', {
    columns: ['users_id'],
    export: null,
    notExported: 'how a list of the admin looks',
    onDeletion: 'delete',
  }),
  site('public.payload_locked_documents_rels', {
    columns: ['users_id'],
    export: null,
    notExported: 'which document somebody of the staff has open now',
    onDeletion: 'delete',
  }),
  site('identity.credentials', { export: { key: 'user_id', without: ['password_hash'] }, onDeletion: 'delete' }),
  site('identity.sessions', { export: { key: 'id' }, onDeletion: 'delete' }),
  site('identity.consents', {
    export: { key: 'id' },
    onDeletion: 'pseudonymise',
    blanks: { address: `''` },
    keptFor: 'proof of what was agreed to',
  }),
  site('identity.known_devices', { export: { key: 'first_seen_at', without: ['hash'] }, onDeletion: 'delete' }),
  site('identity.activities', { export: { key: 'id' }, onDeletion: 'delete' }),
  site('identity.totp', { export: { key: 'user_id', without: ['sealed_secret', 'last_step'] }, onDeletion: 'delete' }),
  site('identity.recovery_codes', { export: { key: 'created_at', without: ['hash'] }, onDeletion: 'delete' }),
  site('identity.passkeys', {
    export: { key: 'id', without: ['public_key', 'counter', 'credential_id'] },
    onDeletion: 'delete',
  }),
  site('identity.ssh_keys', { export: { key: 'id' }, onDeletion: 'delete' }),
  site('identity.app_passwords', { export: { key: 'id', without: ['hash'] }, onDeletion: 'delete' }),
  site('identity.challenges', { export: null, notExported: SECRETS, onDeletion: 'delete' }),
  site('identity.email_codes', { export: null, notExported: SECRETS, onDeletion: 'delete' }),
  site('identity.reset_tokens', { export: null, notExported: SECRETS, onDeletion: 'delete' }),
  site('identity.factor_undo_links', { export: null, notExported: SECRETS, onDeletion: 'delete' }),
  site('identity.email_changes', {
    export: { key: 'id', without: ['confirm_hash', 'undo_hash', 'old_email'] },
    onDeletion: 'delete',
  }),
  site('identity.email_claims', {
    export: null,
    notExported: 'would tell that the address is another account’s (security case 15)',
    onDeletion: 'delete',
  }),
  site('identity.dismissed_messages', { export: { key: 'message_id' }, onDeletion: 'delete' }),
  site('identity.profile_pictures', { export: { key: 'user_id' }, onDeletion: 'delete' }),
  site('identity.discord_links', { export: { key: 'user_id' }, onDeletion: 'delete' }),
  site('identity.discord_attempts', { export: null, notExported: SECRETS, onDeletion: 'delete' }),
  site('identity.account_deletions', {
    export: { key: 'user_id', without: ['undo_hash'] },
    onDeletion: 'keep',
    keptFor: 'that the account is erased, and when',
  }),
  PERSON,
]

const CONTROL_TABLES: readonly PersonalTable[] = [
  control('servers', {
    columns: ['owner_id'],
    export: { key: 'id' },
    onDeletion: 'pseudonymise',
    blanks: { name: `'deleted'`, description: `''`, spec: `spec || '{"environment": {}, "name": "deleted"}'` },
    keptFor: BOOKS,
  }),
  control('server_users', { export: { key: 'server_id' }, onDeletion: 'delete' }),
  // Those of other people that the person sent end with the account too.
  control('server_invitations', {
    columns: ['user_id', 'invited_by'],
    match: 'user_id = $1 or invited_by = $1',
    export: { key: 'server_id', without: ['user_id', 'invited_by'] },
    onDeletion: 'delete',
  }),
  control('invitation_tries', {
    columns: ['user_id', 'owner_id'],
    match: 'user_id = $1 or owner_id = $1',
    export: null,
    notExported: 'how often somebody invited, kept for a day',
    onDeletion: 'delete',
  }),
  control('notifications', { export: { key: 'id' }, onDeletion: 'delete' }),
  control('notification_settings', { export: { key: 'text' }, onDeletion: 'delete' }),
  // A browser's address and keys are enough to send pushes to it.
  control('push_subscriptions', {
    export: { key: 'id', without: ['endpoint', 'p256dh', 'auth'] },
    onDeletion: 'delete',
  }),
  control('server_visits', { export: { key: 'server_id' }, onDeletion: 'delete' }),
  control('server_layouts', { export: { key: 'user_id' }, onDeletion: 'delete' }),
  control('summary_layouts', { export: { key: 'user_id' }, onDeletion: 'delete' }),
  control('votes', { export: { key: 'voting_id' }, onDeletion: 'delete' }),
  // The text is the server's log without addresses and tokens; the link cannot be told, because only its hash is kept.
  control('log_shares', {
    columns: ['made_by'],
    export: { key: 'id', without: ['token_hash'] },
    onDeletion: 'delete',
  }),
  // Their messages go with them. An assignee no longer works on the ticket.
  control('tickets', {
    columns: ['opener_id', 'assignee_id'],
    export: { key: 'id', without: ['opener_id', 'assignee_id', 'words'] },
    onDeletion: 'delete',
    quotes: { where: 'assignee_id = $1 and opener_id <> $1', blanks: { assignee_id: 'null' } },
  }),
  // Notes of staff are about a person, and for staff alone.
  control('ticket_messages', {
    columns: ['author_id', 'about_id'],
    match: `kind <> 'note' and (author_id = $1 or ticket_id in (select k.id from control.tickets k where k.opener_id = $1))`,
    export: { key: 'ticket_id, seq', without: ['author_id', 'about_id', 'words'] },
    onDeletion: 'keep',
    keptFor: 'the opener of the ticket, for as long as tickets are kept; those of own tickets go with the tickets',
  }),
  // Files in somebody else's ticket stay for its readers.
  control('ticket_attachments', {
    columns: ['author_id'],
    export: {
      key: 'created_at, id',
      file: 'bytes',
      beside: ['id', 'message_id', 'place', 'name', 'kind', 'media_type', 'size', 'created_at'],
    },
    onDeletion: 'delete',
    keeps: { where: 'message_id is not null', blanks: { name: `'attachment' || substring(name from '[.][^.]+$')` } },
    keptFor: 'the readers of the message, for as long as it is kept',
  }),
  control('seen_contexts', {
    export: null,
    notExported: 'shown to the person and kept for an hour; what they sent is in their tickets',
    onDeletion: 'delete',
  }),
  control('ticket_people', { export: { key: 'ticket_id' }, onDeletion: 'delete' }),
  control('ticket_mails', { export: { key: 'ticket_id', without: ['mailed_seq'] }, onDeletion: 'delete' }),
  control('ticket_reads', { export: { key: 'ticket_id' }, onDeletion: 'delete' }),
  // A person's acts on somebody else's server are part of that server's history: they stay without address and name.
  control('activities', {
    export: { key: 'id' },
    onDeletion: 'delete',
    keeps: {
      where: `server_id in (select s.id from control.servers s where s.owner_id <> $1)`,
      blanks: { ip_address: `''`, place: `''` },
    },
    // Sub-users' entries with the name or the description of the person's server.
    quotes: {
      where:
        `user_id <> $1 and server_id in (select s.id from control.servers s where s.owner_id = $1) ` +
        `and type in ('server:settings.rename', 'server:settings.description')`,
      blanks: { detail: `'{}'` },
    },
    keptFor: 'the owner of the server, for as long as activities are kept',
  }),
  control('mailboxes', {
    export: null,
    notExported: 'only hashes',
    onDeletion: 'keep',
    keptFor: 'that a mailbox has one test server, and uses a coupon once, ever',
  }),
  control('orders', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('coupon_reservations', { export: { key: 'created_at' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('prize_coupons', { export: { key: 'id' }, onDeletion: 'delete' }),
  control('premium_purchases', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('spin_accounts', { export: { key: 'user_id' }, onDeletion: 'delete' }),
  control('spin_grants', { export: { key: 'key' }, onDeletion: 'delete' }),
  control('spin_purchases', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  // The seed of a future draw.
  control('spin_seeds', { export: null, notExported: SECRETS, onDeletion: 'delete' }),
  // The seed is a text chosen by the person.
  control('spins', {
    export: { key: 'id' },
    onDeletion: 'pseudonymise',
    blanks: { client_seed: `''` },
    keptFor: BOOKS,
  }),
  control('renewals', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('withdrawals', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('server_refunds', {
    columns: ['user_id', 'staff_id'],
    export: { key: 'id', without: ['staff_id'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('modifications', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('test_servers', {
    columns: ['user_id', 'granted_by'],
    export: { key: 'server_id', without: ['granted_by'] },
    onDeletion: 'keep',
    keptFor: 'that a customer has one test server ever',
  }),
  control('payments', {
    // The next step leads to the provider, like its address.
    export: { key: 'id', without: ['redirect_url', 'return_url', 'next_step'] },
    onDeletion: 'pseudonymise',
    blanks: { address: `''` },
    keptFor: BOOKS,
  }),
  control('refunds', {
    columns: ['user_id', 'requested_by'],
    export: { key: 'id', without: ['requested_by'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('chargebacks', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('unmatched_payments', {
    columns: ['user_id', 'resolved_by'],
    export: { key: 'id', without: ['resolved_by'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('money_proposals', {
    columns: ['user_id', 'proposed_by', 'decided_by'],
    export: { key: 'id', without: ['proposed_by', 'decided_by', 'note'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('manual_credits', {
    columns: ['user_id', 'made_by'],
    export: { key: 'id', without: ['made_by'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('phone_payments', {
    columns: ['payment_id'],
    match: 'payment_id in (select p.id from control.payments p where p.user_id = $1)',
    export: { key: 'code' },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('wallet_transactions', { export: { key: 'id' }, onDeletion: 'keep', keptFor: BOOKS }),
  // The law requires the customer on an invoice for as long as the books are kept; a receipt needs none.
  control('invoices', {
    export: { key: 'id' },
    onDeletion: 'pseudonymise',
    blanks: { customer: `case form when 'receipt' then control.invoice_nobody(customer) else customer end` },
    keptFor: 'the law: an invoice is kept for eight years as it was issued, a receipt without a name',
  }),
  control('vat_checks', { export: { key: 'user_id' }, onDeletion: 'delete' }),
  control('invoices_waiting', { export: { key: 'created_at' }, onDeletion: 'keep', keptFor: BOOKS }),
  control('ledger_accounts', {
    columns: ['owner_id'],
    export: { key: 'id' },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('ledger_entries', {
    columns: ['account_id'],
    match: 'account_id in (select a.id from control.ledger_accounts a where a.owner_id = $1)',
    export: { key: 'account_id, seq', without: ['link'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('ledger_holds', {
    columns: ['owner_id'],
    export: { key: 'id', without: ['payload_hash'] },
    onDeletion: 'keep',
    keptFor: BOOKS,
  }),
  control('mails', {
    columns: ['recipient'],
    match: 'recipient = $2 and $1::uuid is not null',
    export: { key: 'id', without: ['sealed', 'failure'] },
    onDeletion: 'delete',
  }),
  control('commands', {
    columns: ['requested_by'],
    export: null,
    notExported: 'the activities tell what was asked of servers',
    onDeletion: 'pseudonymise',
    blanks: { requested_by: 'null' },
  }),
  control('idempotency_keys', {
    export: null,
    notExported: 'a copy of an answer, kept so that a repeated call is answered alike',
    onDeletion: 'delete',
  }),
  control('ended_sessions', {
    export: null,
    notExported: 'a copy of when a session ended, kept for a day',
    onDeletion: 'delete',
  }),
  control('revoked_shares', {
    export: null,
    notExported: 'a copy of when a share changed, kept for a day',
    onDeletion: 'delete',
  }),
]

/** Every table with personal data. A test walks the columns of the database and reports missing ones. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [...SITE_TABLES, ...CONTROL_TABLES]

/** The tables that one of the two programs reads and erases, in its order. */
export const personalTablesOf = (owner: PersonalTable['owner']): readonly PersonalTable[] =>
  PERSONAL_TABLES.filter((table) => table.owner === owner)
