-- One vote of each person in a voting: the key lets no second one in, and a changed mind changes the row. Votings and their options belong
-- to the CMS, so nothing here refers to them: votes of a voting that staff remove go with the control plane's next look.
create table control.votes (
  voting_id uuid not null,
  user_id uuid not null,
  option_id text not null,
  voted_at timestamptz not null,
  primary key (voting_id, user_id)
);
-- A person's export and erasure.
create index votes_user on control.votes (user_id);

-- For the form of the voting in the admin: nobody's choice is told there.
create view control_api.vote_counts as
  select voting_id, option_id, count(*)::int as votes from control.votes group by voting_id, option_id;
