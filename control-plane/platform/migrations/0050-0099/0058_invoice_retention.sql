-- Accounting documents are kept for eight years after their issue and removed then. Their numbers stay, so that a series still shows no
-- gap.

create table control.invoice_tombstones (
  series text not null,
  year integer not null,
  sequence bigint not null check (sequence > 0),
  number text not null unique,
  kind text not null check (kind in ('invoice', 'storno', 'correction')),
  issued_on date not null,
  removed_at timestamptz not null,
  primary key (series, year, sequence),
  foreign key (series, year) references control.invoice_series (series, year)
);
create function control.invoice_tombstone_is_due() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op <> 'INSERT' or new.issued_on > (clock_timestamp() - interval '2927 days')::date then
    raise exception 'the number of a removed document stays, and none is removed before eight years: %', tg_op using errcode = 'BK001';
  end if;
  return new;
end
$$;
create trigger invoice_tombstone_stays before insert or update or delete on control.invoice_tombstones
  for each row execute function control.invoice_tombstone_is_due();
create trigger invoice_tombstone_no_truncate before truncate on control.invoice_tombstones
  for each statement execute function control.ledger_refuse_change();

-- As before; and what is older than eight years by the clock of the database goes once its number is kept.
create or replace function control.invoice_refuse_change() returns trigger language plpgsql set search_path = '' as $$
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
  if tg_op = 'DELETE' and old.issued_at < clock_timestamp() - interval '2928 days'
    and exists (select from control.invoice_tombstones t where t.number = old.number) then
    return old;
  end if;
  raise exception 'what was issued is never changed or removed: % on %', tg_op, tg_table_name using errcode = 'BK001';
end
$$;

-- Removes documents that were issued before a moment, an invoice with everything that takes it back, once the youngest of them is old
-- enough. Answers how many it was.
create function control.invoices_retire(p_before timestamptz, p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v_before timestamptz := least(p_before, clock_timestamp() - interval '2928 days');
  v_invoices uuid[];
  v_followers uuid[];
begin
  select coalesce(array_agg(old.id), '{}') into v_invoices from (
    select i.id from control.invoices i
    where i.kind = 'invoice' and i.issued_at < v_before and not exists (select from control.invoices f
      where (f.storno_of = i.id or f.correction_of = i.id) and f.issued_at >= v_before)
    order by i.issued_at limit p_limit for update skip locked) old;
  select coalesce(array_agg(f.id), '{}') into v_followers from control.invoices f
    where f.storno_of = any (v_invoices) or f.correction_of = any (v_invoices);
  insert into control.invoice_tombstones (series, year, sequence, number, kind, issued_on, removed_at)
    select i.series, i.year, i.sequence, i.number, i.kind, i.issued_at::date, p_now from control.invoices i
    where i.id = any (v_invoices || v_followers);
  delete from control.invoice_hand_overs h where h.id = any (v_invoices || v_followers);
  delete from control.invoices i where i.id = any (v_followers);
  delete from control.invoices i where i.id = any (v_invoices);
  return cardinality(v_invoices) + cardinality(v_followers);
end
$$;

-- Numbers of a series that stand on no document and on no removed one: there are none.
create view control.invoice_gaps as
  select s.series, s.year, n as sequence from control.invoice_series s, generate_series(1, s.last_sequence) n
  where not exists (select from control.invoices i where (i.series, i.year, i.sequence) = (s.series, s.year, n))
    and not exists (select from control.invoice_tombstones t where (t.series, t.year, t.sequence) = (s.series, s.year, n));

revoke all on function control.invoices_retire(timestamptz, timestamptz, integer), control.invoice_tombstone_is_due() from public;
grant execute on function control.invoices_retire(timestamptz, timestamptz, integer) to bakter_app;
revoke insert, update, delete on control.invoice_tombstones from bakter_app;
