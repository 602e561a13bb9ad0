-- Double-entry ledger. Amounts are whole smallest units of a currency, signed: an account that we owe money on (a
-- wallet) grows with positive entries, an account that somebody owes us money on (a provider's clearing) with negative
-- ones, so the entries of a transaction always add up to zero. The functions at the end are the only writers.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'bakter_app') then
    begin
      create role bakter_app nologin;
    exception when duplicate_object or unique_violation then
      null; -- Another database of the same cluster is migrated at the same moment.
    end;
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute pg_catalog.format('grant bakter_app to %I', current_user);
  end if;
end
$$;

create table control.ledger_accounts (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in (
    'user_wallet', 'user_bonus', 'provider_clearing', 'provider_fee', 'revenue', 'vat_payable', 'promotion',
    'rounding', 'refunds_out', 'manual_adjustment')),
  -- The nil uuid is the house itself.
  owner_id uuid not null default '00000000-0000-0000-0000-000000000000',
  provider text not null default '',
  currency char(3) not null,
  allow_negative boolean not null generated always as (kind not in ('user_wallet', 'user_bonus')) stored,
  balance_minor bigint not null default 0,
  held_minor bigint not null default 0,
  -- Number of the newest entry; entries count 1, 2, 3 ... without a gap.
  version bigint not null default 0,
  created_at timestamptz not null default now(),
  unique (owner_id, kind, provider, currency),
  constraint ledger_account_available check (kind not in ('user_wallet', 'user_bonus') or balance_minor - held_minor >= 0),
  constraint ledger_account_held check (held_minor >= 0),
  constraint ledger_account_owner check ((kind in ('user_wallet', 'user_bonus')) = (owner_id <> '00000000-0000-0000-0000-000000000000')),
  constraint ledger_account_provider check ((kind in ('provider_clearing', 'provider_fee')) = (provider <> ''))
);

create table control.ledger_transactions (
  id uuid primary key,
  kind text not null check (kind <> ''),
  idempotency_key text not null unique check (length(idempotency_key) between 3 and 200),
  payload_hash bytea not null check (length(payload_hash) = 32),
  currency char(3) not null,
  -- A sentence that a person understands, and the document that explains the movement.
  reason text not null check (length(btrim(reason)) > 0),
  ref_type text not null check (ref_type <> ''),
  ref_id text not null check (ref_id <> ''),
  actor text not null check (actor <> ''),
  request_id text,
  reverses_tx_id uuid unique references control.ledger_transactions (id),
  created_at timestamptz not null
);
create index ledger_tx_ref on control.ledger_transactions (ref_type, ref_id);

create table control.ledger_entries (
  account_id uuid not null references control.ledger_accounts (id),
  seq bigint not null check (seq > 0),
  tx_id uuid not null references control.ledger_transactions (id),
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor <> 0),
  balance_after bigint not null,
  primary key (account_id, seq),
  unique (tx_id, account_id)
);

create table control.ledger_holds (
  id uuid primary key,
  idempotency_key text not null unique check (length(idempotency_key) between 3 and 200),
  payload_hash bytea not null check (length(payload_hash) = 32),
  owner_id uuid not null,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor > 0),
  bonus_account_id uuid not null references control.ledger_accounts (id),
  bonus_minor bigint not null check (bonus_minor >= 0),
  wallet_account_id uuid not null references control.ledger_accounts (id),
  wallet_minor bigint not null check (wallet_minor >= 0),
  state text not null default 'open' check (state in ('open', 'captured', 'released', 'expired')),
  captured_minor bigint not null default 0 check (captured_minor between 0 and amount_minor),
  captured_tx_id uuid unique references control.ledger_transactions (id),
  reason text not null check (length(btrim(reason)) > 0),
  ref_type text not null check (ref_type <> ''),
  ref_id text not null check (ref_id <> ''),
  actor text not null,
  request_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  resolved_at timestamptz,
  check (bonus_minor + wallet_minor = amount_minor),
  check (expires_at > created_at),
  check ((state = 'captured') = (captured_tx_id is not null)),
  check ((state = 'open') = (resolved_at is null))
);
create index ledger_hold_open on control.ledger_holds (expires_at) where state = 'open';
create index ledger_hold_owner on control.ledger_holds (owner_id) where state = 'open';

create function control.ledger_refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'ledger rows are never changed or removed: % on %', tg_op, tg_table_name using errcode = 'BK001';
end
$$;

create trigger ledger_tx_immutable before update or delete on control.ledger_transactions
  for each row execute function control.ledger_refuse_change();
create trigger ledger_tx_no_truncate before truncate on control.ledger_transactions
  for each statement execute function control.ledger_refuse_change();
create trigger ledger_entry_immutable before update or delete on control.ledger_entries
  for each row execute function control.ledger_refuse_change();
create trigger ledger_entry_no_truncate before truncate on control.ledger_entries
  for each statement execute function control.ledger_refuse_change();
create trigger ledger_account_no_delete before delete on control.ledger_accounts
  for each row execute function control.ledger_refuse_change();
create trigger ledger_account_no_truncate before truncate on control.ledger_accounts
  for each statement execute function control.ledger_refuse_change();
create trigger ledger_hold_no_delete before delete on control.ledger_holds
  for each row execute function control.ledger_refuse_change();
create trigger ledger_hold_no_truncate before truncate on control.ledger_holds
  for each statement execute function control.ledger_refuse_change();

-- A hold resolves exactly once, and nothing of it but its outcome ever changes.
create function control.ledger_hold_resolves_once() returns trigger language plpgsql set search_path = '' as $$
begin
  if old.state <> 'open' or new.state = 'open'
    or (new.id, new.idempotency_key, new.payload_hash, new.owner_id, new.amount_minor, new.bonus_minor, new.wallet_minor)
      is distinct from
      (old.id, old.idempotency_key, old.payload_hash, old.owner_id, old.amount_minor, old.bonus_minor, old.wallet_minor)
  then
    raise exception 'hold % cannot go from % to %', old.id, old.state, new.state using errcode = 'BK001';
  end if;
  return new;
end
$$;
create trigger ledger_hold_once before update on control.ledger_holds
  for each row execute function control.ledger_hold_resolves_once();

-- Checked when the transaction commits, because its entries are written one by one.
create function control.ledger_check_balanced() returns trigger language plpgsql set search_path = '' as $$
declare
  -- The trigger's argument names the column that holds the transaction's id.
  v_tx uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (select count(*) < 2 or count(distinct e.currency) <> 1 or sum(e.amount_minor) <> 0
      from control.ledger_entries e where e.tx_id = v_tx) then
    raise exception 'entries of ledger transaction % do not add up to zero in one currency', v_tx using errcode = 'BK002';
  end if;
  return null;
end
$$;
create constraint trigger ledger_entry_balanced after insert on control.ledger_entries
  deferrable initially deferred for each row execute function control.ledger_check_balanced('tx_id');
create constraint trigger ledger_tx_balanced after insert on control.ledger_transactions
  deferrable initially deferred for each row execute function control.ledger_check_balanced('id');
