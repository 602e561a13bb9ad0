-- The document that explains a line of a statement, typed: its kind, its id, and what tells apart movements that a provider names several
-- times for one payment. `document_kind` and `document_id` say the same in the words of the release before, which reads and writes them until it
-- is gone; the release after this one drops them, the trigger and both functions, and makes kind and id of the reference `not null`.
alter table control.wallet_transactions
  add column reference_kind text,
  add column reference_id uuid,
  add column reference_source text not null default '';

-- What the words of the release before mean; nulls for what neither release ever wrote.
create function control.reference_of_words(p_kind text, p_words text, p_type text, p_user uuid,
  out kind text, out id uuid, out source text) language plpgsql immutable set search_path = '' as $$
declare
  v_uuid constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
  v_parts text[];
begin
  source := '';
  if p_words ~ ('^' || v_uuid || '$') then
    kind := case
      when p_kind in ('order', 'payment', 'renewal', 'modification') then p_kind
      when p_kind <> 'none' then null
      when p_type = 'premium' then 'premium'
      when p_type = 'spin' then 'spins'
      when p_type = 'prize' then 'prize'
      when p_words = p_user::text then 'account'
    end;
    if kind is not null then id := p_words::uuid; end if;
    return;
  end if;
  v_parts := regexp_match(p_words, '^(refund|chargeback|dispute-won|elsewhere|elsewhere-returned|debt|unmatched|server-refund|withdrawal|correction):('
    || v_uuid || ')(?::(.+))?$');
  if p_kind = 'none' and v_parts is not null then
    kind := v_parts[1];
    id := v_parts[2]::uuid;
    source := coalesce(v_parts[3], '');
  end if;
end
$$;

-- Whichever release writes a line, both find its document.
create function control.keep_reference() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.reference_kind is null then
    select r.kind, r.id, r.source into new.reference_kind, new.reference_id, new.reference_source
      from control.reference_of_words(new.document_kind, new.document_id, new.type, new.user_id) r;
  elsif new.reference_kind in ('order', 'payment', 'renewal', 'modification') then
    new.document_kind := new.reference_kind;
    new.document_id := new.reference_id::text;
  else
    new.document_kind := 'none';
    new.document_id := case when new.reference_kind in ('premium', 'spins', 'prize', 'account') then new.reference_id::text
      else concat_ws(':', new.reference_kind, new.reference_id, nullif(new.reference_source, '')) end;
  end if;
  return new;
end
$$;
create trigger keep_reference before insert on control.wallet_transactions
  for each row execute function control.keep_reference();

update control.wallet_transactions w set reference_kind = r.kind, reference_id = r.id, reference_source = r.source
  from control.wallet_transactions l
    cross join lateral control.reference_of_words(l.document_kind, l.document_id, l.type, l.user_id) r
  where w.id = l.id and r.kind is not null;

alter table control.wallet_transactions
  add constraint wallet_transactions_reference_kind_check check (reference_kind in ('order', 'payment', 'renewal', 'modification',
    'premium', 'spins', 'prize', 'account', 'refund', 'chargeback', 'dispute-won', 'elsewhere', 'elsewhere-returned', 'debt', 'unmatched',
    'server-refund', 'withdrawal', 'correction')),
  add constraint wallet_transactions_reference_whole check ((reference_kind is null) = (reference_id is null));
create unique index wallet_transactions_reference
  on control.wallet_transactions (reference_kind, reference_id, reference_source, type);
