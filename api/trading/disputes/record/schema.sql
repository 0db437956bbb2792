-- Disputes over rejected deliveries: their states, the basis of their decisions, and the verdicts.

create table market.disputes (
  id               uuid primary key,
  -- One dispute per order. While it is neither executing nor closed, the hold of the order is frozen.
  order_id         uuid not null unique references market.orders,
  state            text not null check (state in
    ('open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing', 'closed')),
  opener           text not null check (opener in ('buyer', 'seller')),
  buyer_ready_at   timestamptz,
  seller_ready_at  timestamptz,
  -- A party that waives its appeal lets the verdict be executed at once.
  buyer_waived_at  timestamptz,
  seller_waived_at timestamptz,
  -- Why it went to a human: reason codes.
  flags            text[] not null default '{}',
  -- The number of reviewers who decide it: none until it goes to a human, three if two differ.
  reviewers        integer not null default 0 check (reviewers between 0 and 3),
  -- The end of the time for both sides' statements in an appeal. Set when its fee is paid.
  appeal_heard_until timestamptz,
  -- When the state ends by itself.
  due_at           timestamptz,
  -- When the parties are reminded of due_at, of their evidence or of an appeal. Null once they were.
  remind_at        timestamptz,
  -- How it ended, and the amount that the payer gets back.
  outcome          text check (outcome in ('verdict', 'settlement', 'concession', 'release', 'chain')),
  refund_micros    bigint check (refund_micros >= 0),
  opened_at        timestamptz not null default market.now(),
  closed_at        timestamptz,
  check ((due_at is null) = (state in ('executing', 'closed'))),
  check ((outcome is null) = (due_at is not null)),
  check ((closed_at is null) = (state <> 'closed'))
);
create index disputes_due on market.disputes (due_at) where due_at is not null;
create index disputes_unreminded on market.disputes (remind_at) where state in ('open', 'decided');
create index disputes_by_state on market.disputes (state, closed_at);
create index disputes_undecided on market.disputes (due_at) where state = 'arbitrating';

-- A party's statement to the human who hears an appeal. No rule and no model reads it.
create table market.appeal_statements (
  dispute_id uuid not null references market.disputes,
  party      text not null check (party in ('buyer', 'seller')),
  author_id  uuid not null references market.agents,
  statement  text not null,
  -- The screener's findings in it (disputes/screener).
  screening  jsonb not null,
  created_at timestamptz not null default market.now(),
  primary key (dispute_id, party)
);

-- The sides whose text a reviewer has found to be written to steer the judge.
create table market.hostile_texts (
  dispute_id   uuid not null references market.disputes,
  author_id    uuid not null references market.agents,
  confirmed_at timestamptz not null default market.now(),
  primary key (author_id, dispute_id)
);

-- The parties' texts: the opener's statement, and the other side's response.
create table market.dispute_statements (
  dispute_id    uuid not null references market.disputes,
  party         text not null check (party in ('buyer', 'seller')),
  author_id     uuid not null references market.agents,
  grounds       text[] not null,
  what_happened text not null,
  wanted        text,
  -- The refund that the buyer asks for or the seller offers. No verdict gives the buyer more than the first
  -- or less than the second.
  refund_micros bigint check (refund_micros >= 0),
  created_at    timestamptz not null default market.now(),
  primary key (dispute_id, party)
);

-- An item that a party refers to: a message or an upload of the order.
create table market.dispute_evidence (
  id          uuid primary key,
  dispute_id  uuid not null references market.disputes,
  party       text not null check (party in ('buyer', 'seller')),
  message_id  uuid references market.messages,
  delivery_id uuid references market.deliveries on delete cascade,
  created_at  timestamptz not null default market.now(),
  check (num_nonnulls(message_id, delivery_id) = 1),
  unique nulls not distinct (dispute_id, party, message_id, delivery_id)
);
create index dispute_evidence_of_delivery on market.dispute_evidence (delivery_id) where delivery_id is not null;

-- Files that a party hands in: as evidence while that is open, or to an appeal. The blob store keeps each
-- under its id.
create table market.evidence_files (
  id         uuid primary key,
  dispute_id uuid not null references market.disputes,
  party      text not null check (party in ('buyer', 'seller')),
  author_id  uuid not null references market.agents,
  stage      text not null check (stage in ('evidence', 'appeal')),
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes >= 0),
  is_blank   boolean not null,
  -- The beginning and the end of a text, for the screener; null for other content.
  excerpt    text,
  -- The screener's findings in a file that is handed in to an appeal. Its findings in evidence are frozen
  -- with the record.
  screening  jsonb,
  filename   text,
  created_at timestamptz not null default market.now(),
  check ((screening is not null) = (stage = 'appeal'))
);
create index evidence_files_of_dispute on market.evidence_files (dispute_id);
create index evidence_files_of_author on market.evidence_files (author_id);
create trigger evidence_files_immutable before update on market.evidence_files
  for each row execute function market.refuse_change();
create trigger evidence_files_remove_blob after delete on market.evidence_files
  for each row execute function market.remove_blob();

-- The basis of a dispute's decision, frozen when its evidence closed: the facts, and a list of all statements
-- and actions with their hashes. Both are canonical JSON, kept as text because jsonb would change it.
create table market.dispute_records (
  dispute_id      uuid primary key references market.disputes,
  facts           text not null,
  record          text not null,
  -- The screener's findings in the texts of each side: scores and names of families, also canonical JSON.
  screening       text not null,
  evidence_sha256 text not null check (evidence_sha256 ~ '^[0-9a-f]{64}$'),
  frozen_at       timestamptz not null default market.now()
);
create trigger dispute_records_immutable before update on market.dispute_records
  for each row execute function market.refuse_change();

-- Disputes that wait for a model, because the rules do not decide them. The row is written before the model
-- is asked, so that a crash neither doubles nor loses the question. The model is asked again if it does not
-- answer.
create table market.arbitrations (
  dispute_id uuid primary key references market.disputes,
  attempts   integer not null default 0,
  -- When it may be asked: the next time, or when a process that asked must have ended. Null once it has
  -- answered.
  ask_at     timestamptz default market.now(),
  -- The outcome: 'decided', or why it went to a human.
  result     text,
  created_at timestamptz not null default market.now(),
  check ((ask_at is null) = (result is not null)),
  constraint arbitrations_attempts check (
    attempts between 0 and 1000000)
);
create index arbitrations_due on market.arbitrations (ask_at) where ask_at is not null;

-- Signed verdicts. A human verdict is the second of its dispute and supersedes the first.
create table market.verdicts (
  id           uuid primary key,
  dispute_id   uuid not null references market.disputes,
  sequence     integer not null check (sequence > 0),
  kind         text not null check (kind in ('rules', 'model', 'human', 'fallback')),
  winner       text not null check (winner in ('buyer', 'seller')),
  payer_micros bigint not null check (payer_micros >= 0),
  payee_micros bigint not null check (payee_micros >= 0),
  fee_micros   bigint not null check (fee_micros >= 0),
  -- The signed bytes.
  document     text not null,
  key_id       text not null,
  signature    text not null,
  signed_at    timestamptz not null default market.now(),
  unique (dispute_id, sequence)
);
create trigger verdicts_immutable before update on market.verdicts
  for each row execute function market.refuse_change();

-- Reviewers, each assigned to a dispute once. Two decide without seeing each other's decision.
create table market.reviews (
  id            uuid primary key,
  dispute_id    uuid not null references market.disputes,
  reviewer_id   uuid not null references market.humans,
  assigned_at   timestamptz not null default market.now(),
  -- When the reviewer first read the case.
  read_at       timestamptz,
  -- When their assignment ended: they did not read the case in time, or the review of flagged text ended.
  ended_at      timestamptz,
  refund_micros bigint check (refund_micros >= 0),
  grounds       text,
  decided_at    timestamptz,
  unique (dispute_id, reviewer_id),
  check ((decided_at is null) = (refund_micros is null) and (decided_at is null) = (grounds is null))
);
create index reviews_of_reviewer on market.reviews (reviewer_id, id) where ended_at is null;
create index disputes_in_review on market.disputes (id) where state in ('pre_review', 'in_review');
