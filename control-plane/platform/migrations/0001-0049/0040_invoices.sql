-- Invoices and receipts. A number is taken and used in one transaction, so a series has no gap; what is issued never changes,
-- and what was wrong is taken back by a storno document of its own.

-- How far a series has come in a year. Only control.invoice_next_number writes here.
create table control.invoice_series (
  series text not null check (series ~ '^[A-Z][A-Z0-9]{0,7}$'),
  year integer not null check (year between 2000 and 9999),
  last_sequence bigint not null check (last_sequence > 0),
  last_issued_at timestamptz not null,
  primary key (series, year)
);

create table control.invoices (
  id uuid primary key,
  user_id uuid not null,
  kind text not null check (kind in ('invoice', 'storno')),
  -- An electronic invoice, or a receipt for whom no invoice is needed.
  form text not null check (form in ('electronic', 'receipt')),
  series text not null,
  year integer not null,
  sequence bigint not null check (sequence > 0),
  -- As it stands on the document.
  number text not null unique,
  -- What was paid: the order, the payment, and whatever else moves a balance later.
  document_kind text not null check (document_kind <> ''),
  document_id text not null check (document_id <> ''),
  tax_point text not null check (tax_point in ('at_topup', 'at_spend')),
  language text not null check (language in ('en', 'hu', 'de')),
  payment_method text not null,
  -- Both parties as they were when it was issued.
  seller jsonb not null,
  customer jsonb not null,
  lines jsonb not null check (jsonb_array_length(lines) > 0),
  tax_kind text not null check (tax_kind in ('domestic', 'eu-consumer', 'eu-reverse-charge', 'outside-eu')),
  tax_rule text not null check (tax_rule <> ''),
  tax_rule_version text not null check (tax_rule_version <> ''),
  -- Whose rate it is, and the checked number of a business that pays the tax at home.
  tax_country text not null check (tax_country ~ '^[A-Z]{2}$'),
  vat_number text,
  rate_basis_points integer not null check (rate_basis_points between 0 and 10000),
  net_ft bigint not null,
  vat_ft bigint not null,
  gross_ft bigint not null check (gross_ft <> 0),
  performed_on date not null,
  issued_at timestamptz not null,
  -- The document that a storno takes back, and why.
  storno_of uuid unique references control.invoices (id),
  -- The document that this one stands in the place of, after a storno took that one back.
  correction_of uuid unique references control.invoices (id),
  reason text,
  request_id text not null,
  unique (series, year, sequence),
  foreign key (series, year) references control.invoice_series (series, year),
  constraint invoices_add_up check (net_ft + vat_ft = gross_ft),
  constraint invoices_storno_names_its_document check ((kind = 'storno') = (storno_of is not null)),
  constraint invoices_storno_has_a_reason check ((kind = 'storno') = (length(btrim(reason)) > 0)),
  constraint invoices_sign check ((kind = 'storno') = (gross_ft < 0)),
  constraint invoices_not_of_itself check (storno_of <> id and correction_of <> id),
  constraint invoices_correction_is_an_invoice check (correction_of is null or kind = 'invoice')
);
create unique index invoices_document on control.invoices (document_kind, document_id)
  where kind = 'invoice' and correction_of is null;
create index invoices_user on control.invoices (user_id, id desc);
create index invoices_issued_at on control.invoices (issued_at);

-- The row of the series is locked until the transaction ends: the next number waits for this one to be used or given back.
create function control.invoice_next_number(p_series text, p_year integer, p_now timestamptz)
returns table (sequence bigint, issued_at timestamptz)
language sql security definer set search_path = '' as $$
  insert into control.invoice_series as s (series, year, last_sequence, last_issued_at)
  values (p_series, p_year, 1, p_now)
  on conflict (series, year) do update
    set last_sequence = s.last_sequence + 1, last_issued_at = greatest(s.last_issued_at, excluded.last_issued_at)
  returning s.last_sequence, s.last_issued_at
$$;

-- Checked at the commit: every number that was taken stands on a document.
create function control.invoice_number_is_used() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.last_sequence <> old.last_sequence + 1
    or tg_op = 'INSERT' and new.last_sequence <> 1
    or not exists (select from control.invoices i
      where i.series = new.series and i.year = new.year and i.sequence = new.last_sequence) then
    raise exception 'number % of series % in % stands on no document', new.last_sequence, new.series, new.year
      using errcode = 'BK003';
  end if;
  return null;
end
$$;
create constraint trigger invoice_series_without_gap after insert or update on control.invoice_series
  deferrable initially deferred for each row execute function control.invoice_number_is_used();

-- A document has the newest number of its series, and a storno takes back an invoice of the same person, whole.
create function control.invoice_is_next() returns trigger language plpgsql set search_path = '' as $$
declare
  v_of control.invoices;
begin
  if not exists (select from control.invoice_series s
      where s.series = new.series and s.year = new.year and s.last_sequence = new.sequence
        and s.last_issued_at = new.issued_at) then
    raise exception 'invoice % does not have the next number of its series', new.number using errcode = 'BK003';
  end if;
  if new.kind = 'storno' then
    select * into v_of from control.invoices i where i.id = new.storno_of;
    if v_of.kind <> 'invoice' or (v_of.user_id, v_of.document_kind, v_of.document_id, v_of.net_ft, v_of.vat_ft, v_of.gross_ft)
      is distinct from (new.user_id, new.document_kind, new.document_id, -new.net_ft, -new.vat_ft, -new.gross_ft) then
      raise exception 'storno % does not take back what invoice % says', new.number, v_of.number using errcode = 'BK003';
    end if;
  end if;
  return new;
end
$$;
create trigger invoice_next before insert on control.invoices
  for each row execute function control.invoice_is_next();

-- The law asks for no name on a receipt, so the one who leaves takes it along. Everything else stays as it was issued.
create function control.invoice_nobody(p_customer jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, case key when 'country' then p_customer -> key else '""'::jsonb end), '{}')
  from jsonb_object_keys(p_customer) as key
$$;

create function control.invoice_refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new is not distinct from old then
      return new;
    end if;
    if old.form = 'receipt' and to_jsonb(new) - 'customer' = to_jsonb(old) - 'customer'
      and new.customer = control.invoice_nobody(old.customer) then
      return new;
    end if;
  end if;
  raise exception 'what was issued is never changed or removed: % on %', tg_op, tg_table_name using errcode = 'BK001';
end
$$;
create trigger invoice_immutable before update or delete on control.invoices
  for each row execute function control.invoice_refuse_change();
create trigger invoice_no_truncate before truncate on control.invoices
  for each statement execute function control.ledger_refuse_change();
create trigger invoice_series_stays before delete on control.invoice_series
  for each row execute function control.ledger_refuse_change();
create trigger invoice_series_no_truncate before truncate on control.invoice_series
  for each statement execute function control.ledger_refuse_change();

-- What should have been issued while the seller's data was missing. It is issued as soon as they are there.
create table control.invoices_waiting (
  document_kind text not null,
  document_id text not null,
  user_id uuid not null,
  request jsonb not null,
  created_at timestamptz not null,
  primary key (document_kind, document_id)
);
create index invoices_waiting_created on control.invoices_waiting (created_at);

revoke all on function control.invoice_next_number(text, integer, timestamptz), control.invoice_number_is_used(),
  control.invoice_is_next(), control.invoice_nobody(jsonb), control.invoice_refuse_change() from public;
grant execute on function control.invoice_next_number(text, integer, timestamptz), control.invoice_nobody(jsonb) to bakter_app;
revoke insert, update, delete on control.invoice_series from bakter_app;
revoke update, delete on control.invoices from bakter_app;
grant update (customer) on control.invoices to bakter_app;
