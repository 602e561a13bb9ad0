-- The tax of a sale is decided once and kept on the sale's row; what is given back of a sale is kept beside it.

-- The rule as it was decided: kind, ruleId, version, country, rateBasisPoints and, where the customer pays at home, vatNumber. The
-- default is what a program of the release before books for every sale.
alter table control.orders add column tax jsonb not null
  default '{"kind":"domestic","ruleId":"domestic-HU","version":"2025-08-01","country":"HU","rateBasisPoints":2700}';
alter table control.renewals add column tax jsonb not null
  default '{"kind":"domestic","ruleId":"domestic-HU","version":"2025-08-01","country":"HU","rateBasisPoints":2700}';
alter table control.modifications add column tax jsonb not null
  default '{"kind":"domestic","ruleId":"domestic-HU","version":"2025-08-01","country":"HU","rateBasisPoints":2700}';
alter table control.premium_purchases add column tax jsonb not null
  default '{"kind":"domestic","ruleId":"domestic-HU","version":"2025-08-01","country":"HU","rateBasisPoints":2700}';
alter table control.spin_purchases add column tax jsonb not null
  default '{"kind":"domestic","ruleId":"domestic-HU","version":"2025-08-01","country":"HU","rateBasisPoints":2700}';
-- Decided when the money is there; empty until then.
alter table control.payments add column tax jsonb;

-- What was given back of a sale, by what: the ledger took `net_ft` from the revenue and `vat_ft` from the tax. The document of it
-- names the same cause.
create table control.sale_corrections (
  id uuid primary key,
  sale_kind text not null check (sale_kind in ('order', 'renewal', 'modification', 'premium', 'spin', 'top-up')),
  sale_id text not null check (sale_id <> ''),
  cause_type text not null check (cause_type <> ''),
  cause_id text not null check (cause_id <> ''),
  given_back_ft bigint not null check (given_back_ft > 0),
  net_ft bigint not null check (net_ft >= 0),
  vat_ft bigint not null check (vat_ft >= 0),
  -- What the document says of it, by language; empty until the document is asked for.
  reason jsonb,
  request_id text,
  created_at timestamptz not null,
  -- A bank gave back what it had taken: the sale stands again.
  undone_at timestamptz,
  unique (sale_kind, sale_id, cause_type, cause_id),
  constraint sale_corrections_add_up check (net_ft + vat_ft = given_back_ft)
);
create function control.sale_correction_refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - '{reason,request_id,undone_at}'::text[] = to_jsonb(old) - '{reason,request_id,undone_at}'::text[]
    and (old.reason is null or (old.reason, old.request_id) is not distinct from (new.reason, new.request_id))
    and (old.undone_at is null or old.undone_at is not distinct from new.undone_at) then
    return new;
  end if;
  raise exception 'what was given back of a sale is never changed: %', tg_op using errcode = 'BK001';
end
$$;
create trigger sale_correction_immutable before update or delete on control.sale_corrections
  for each row execute function control.sale_correction_refuse_change();
revoke all on function control.sale_correction_refuse_change() from public;

-- A correcting document takes back a part of an invoice. There may be several of one invoice, one for each cause.
alter table control.invoices
  -- What money went back by: `refund:<id>`. A storno that takes an invoice back as a whole may have none.
  add column correction_cause text,
  drop constraint invoices_correction_of_key,
  drop constraint invoices_kind_check,
  drop constraint invoices_storno_has_a_reason,
  drop constraint invoices_sign,
  drop constraint invoices_correction_is_an_invoice,
  add constraint invoices_kind_check check (kind in ('invoice', 'storno', 'correction')),
  add constraint invoices_back_has_a_reason check ((kind <> 'invoice') = (length(btrim(reason)) > 0)),
  add constraint invoices_sign check ((kind <> 'invoice') = (gross_ft < 0)),
  add constraint invoices_correction_names_its_document check ((kind = 'correction') = (correction_of is not null)),
  add constraint invoices_correction_has_a_cause
    check (case kind when 'invoice' then correction_cause is null when 'correction' then correction_cause is not null else true end);
create unique index invoices_correction on control.invoices (correction_of, correction_cause) where kind = 'correction';

-- As before; and a correction takes back no more than what is left of an invoice of the same person and document.
create or replace function control.invoice_is_next() returns trigger language plpgsql set search_path = '' as $$
declare
  v_of control.invoices;
  v_net bigint;
  v_vat bigint;
begin
  if not exists (select from control.invoice_series s
      where s.series = new.series and s.year = new.year and s.last_sequence = new.sequence
        and s.last_issued_at = new.issued_at) then
    raise exception 'invoice % does not have the next number of its series', new.number using errcode = 'BK003';
  end if;
  if new.kind = 'storno' then
    select * into v_of from control.invoices i where i.id = new.storno_of;
    if v_of.kind <> 'invoice' or (v_of.user_id, v_of.document_kind, v_of.document_id, v_of.net_ft, v_of.vat_ft, v_of.gross_ft)
      is distinct from (new.user_id, new.document_kind, new.document_id, -new.net_ft, -new.vat_ft, -new.gross_ft)
      or exists (select from control.invoices c where c.correction_of = v_of.id) then
      raise exception 'storno % does not take back what invoice % says', new.number, v_of.number using errcode = 'BK003';
    end if;
  end if;
  if new.kind = 'correction' then
    select * into v_of from control.invoices i where i.id = new.correction_of for no key update;
    select coalesce(sum(c.net_ft), 0), coalesce(sum(c.vat_ft), 0) into v_net, v_vat
      from control.invoices c where c.correction_of = v_of.id;
    if v_of.kind <> 'invoice' or (v_of.user_id, v_of.document_kind, v_of.document_id)
      is distinct from (new.user_id, new.document_kind, new.document_id)
      or new.net_ft > 0 or new.vat_ft > 0 or v_of.net_ft + v_net + new.net_ft < 0 or v_of.vat_ft + v_vat + new.vat_ft < 0
      or exists (select from control.invoices s where s.storno_of = v_of.id) then
      raise exception 'correction % takes back more than invoice % says', new.number, v_of.number using errcode = 'BK003';
    end if;
  end if;
  return new;
end
$$;
