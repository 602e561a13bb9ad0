-- A size that was paid for and that its node has not taken. A program of the release before writes no generation: what it
-- sells is looked at by nobody, as before.
alter table control.modifications
  -- What the server's specification had from the change on.
  add column generation integer check (generation >= 2),
  -- Since when the node is known to have it. It stays so, also where the node loses its record later.
  add column taken_at timestamptz,
  -- Back at the size before, and what came back for it, of renewals at the larger price too.
  add column reversed_at timestamptz,
  add column reversed_money_ft bigint not null default 0 check (reversed_money_ft >= 0),
  add column reversed_bonus_ft bigint not null default 0 check (reversed_bonus_ft >= 0),
  add constraint modifications_reversed check (reversed_at is null and reversed_money_ft + reversed_bonus_ft = 0
    or reversed_at is not null and taken_at is null and charge_ft > 0 and generation is not null);
create index modifications_untaken on control.modifications (server_id)
  where generation is not null and taken_at is null and reversed_at is null;
create index commands_failed on control.commands (server_id, kind, generation) where state = 'failed';
