-- Keys that seal secrets of this database. Each is sealed itself with the deployment's master key (SECRETS_KEY), so that they
-- can be changed while the programs run.
create table identity.sealing_keys (
  id text primary key,
  wrapped text not null,
  created_at timestamptz not null,
  -- It seals nothing any more, and opens what it sealed as long as such a value exists.
  retired_at timestamptz
);

-- A signing key is told to everyone before it signs, and is believed for a time after the next one signs.
alter table identity.signing_keys add column sealed text;
alter table identity.signing_keys add column signs_from timestamptz;
update identity.signing_keys set signs_from = created_at;
alter table identity.signing_keys alter column signs_from set not null, alter column signs_from set default now();
-- The older form, sealed with PAYLOAD_SECRET; a rotation empties it.
alter table identity.signing_keys alter column sealed_private drop not null;
alter table identity.signing_keys add check ((sealed is null) <> (sealed_private is null));

-- What a rotation makes is decided with its row, so that one that was interrupted goes on where it stopped.
create table identity.key_rotations (
  id uuid primary key,
  sealing_key_id text not null,
  signing_kid text not null,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index one_open_rotation on identity.key_rotations ((true)) where finished_at is null;
