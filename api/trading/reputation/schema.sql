-- The reputation of sellers (spec 8.1). A contribution is what one order adds to its seller's record; the
-- sums of all contributions of a seller are kept beside them, so that a lookup reads one row. Everything is
-- an integer: sums do not depend on their order, and computing all anew gives the same bits.

-- The natural logarithm of 1 + an amount in whole units, in millionths, by integers alone: log2 bit by bit
-- with 24 binary digits, times ln 2. TypeScript has the same function (protocol/records/reputationWeight.ts).
create function market.reputation_weight(cost_micros bigint) returns bigint
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    n bigint := 1000000 + cost_micros;
    k integer := length(ltrim(n::bit(64)::text, '0')) - 1;
    m bigint := case when k > 30 then n >> (k - 30) else n << (30 - k) end;
    f bigint := 0;
    -- log2(1,000,000), with 24 binary digits.
    log2_unit constant bigint := 334396231;
  begin
    for digit in 1 .. 24 loop
      m := (m * m) >> 30;
      f := f << 1;
      if m >= 2147483648 then
        m := m >> 1;
        f := f | 1;
      end if;
    end loop;
    return ((k::bigint << 24 | f) - log2_unit) * 693147181 / 16777216000;
  end $$;

create table market.contributions (
  order_id            uuid primary key references market.orders,
  subject_id          uuid not null references market.agents,
  buyer_id            uuid not null references market.agents,
  -- The person behind the buyer.
  counterparty_id     uuid not null references market.humans,
  -- Null while the order has a verdict and is not settled yet.
  finalized_at        timestamptz,
  weight              bigint not null,
  price_micros        bigint not null,
  refunded_micros     bigint not null,
  fee_micros          bigint not null,
  -- Null: not rated, or by a buyer who lost the dispute.
  stars               smallint,
  -- Who lost the dispute, if there was one.
  loser               text check (loser in ('buyer', 'seller')),
  -- The seller refunded a delivery without a verdict.
  conceded            boolean not null,
  -- Decided when the order is settled, and never again: it then adds nothing.
  ineligible_because  text check (ineligible_because in ('same_owner', 'shared_wallet'))
);
-- With what a query over a window sums up, so that it reads the index alone.
create index contributions_of_subject on market.contributions (subject_id, finalized_at)
  include (weight, price_micros, refunded_micros, stars, loser, ineligible_because);
create index contributions_lost_by_buyer on market.contributions (buyer_id) where loser = 'buyer';

-- The sums over the eligible contributions of a seller.
create table market.reputation_totals (
  subject_id           uuid primary key references market.agents,
  receipts             bigint not null default 0,
  weighted_stars       bigint not null default 0,
  rated_weight         bigint not null default 0,
  lost_weight          bigint not null default 0,
  completed_weight     bigint not null default 0,
  volume_micros        bigint not null default 0,
  fee_micros           bigint not null default 0,
  conceded             bigint not null default 0,
  counterparties       bigint not null default 0,
  largest_micros       bigint not null default 0,
  -- What the pairs add to the rank of its listings.
  rank_weight          bigint not null default 0,
  rank_stars           bigint not null default 0
);

-- The same sums per person behind buyers: they show sellers who trade with few people, and give a rank that
-- cannot be raised by splitting orders or creating accounts.
create table market.reputation_pairs (
  subject_id       uuid not null references market.agents,
  counterparty_id  uuid not null references market.humans,
  receipts         bigint not null default 0,
  price_micros     bigint not null default 0,
  weighted_stars   bigint not null default 0,
  rated_weight     bigint not null default 0,
  rated_micros     bigint not null default 0,
  primary key (subject_id, counterparty_id)
);

-- The amounts that a pair adds to the rank: the logarithm of all that this person has bought and rated, and
-- the same times its mean rating, in millionths of a star.
create function market.rank_terms(pair market.reputation_pairs, out weight bigint, out stars bigint)
  language sql immutable
  begin atomic
    select case when pair.rated_weight > 0 then person.weight else 0 end,
      case when pair.rated_weight > 0 then div(person.weight::numeric * pair.weighted_stars * 1000000, pair.rated_weight) else 0 end
    from (select market.reputation_weight(pair.rated_micros) as weight) person;
  end;

-- The contribution of each order with a final receipt or a verdict, from its records. `contributions` stores
-- the same, except for the seller's eligibility, which was decided when the order was settled.
create view market.contribution_sources as
  select "order".id as order_id, "order".seller_id as subject_id, "order".buyer_id, buying.person_id as counterparty_id,
    receipt.finalized_at, market.reputation_weight("order".price_micros) as weight, "order".price_micros,
    coalesce(hold.released_payer_micros, 0) as refunded_micros, coalesce(hold.released_fee_micros, 0) as fee_micros,
    case when outcome.loser is distinct from 'buyer' then rating.stars end as stars, outcome.loser,
    "order".state = 'cancelled' and "order".delivered_at is not null as conceded,
    case
      when buying.person_id = selling.person_id then 'same_owner'
      when exists (
        select from market.wallet_owners wallet
        where wallet.address = hold.payer and wallet.owner_id = seller.owner_id
          or wallet.address = "order".payee and wallet.owner_id = buyer.owner_id
      ) or hold.payer = "order".payee then 'shared_wallet'
    end as ineligible_because
  from market.receipts receipt
  join market.orders "order" on "order".id = receipt.order_id
  join market.holds hold on hold.order_id = receipt.order_id
  join market.agents buyer on buyer.id = "order".buyer_id
  join market.agents seller on seller.id = "order".seller_id
  join market.humans buying on buying.id = buyer.owner_id
  join market.humans selling on selling.id = seller.owner_id
  left join market.ratings rating on rating.order_id = receipt.order_id
  left join market.disputes dispute on dispute.order_id = receipt.order_id
  left join lateral (
    select verdict.winner from market.verdicts verdict
    where verdict.dispute_id = dispute.id order by verdict.sequence desc limit 1
  ) latest on true
  left join lateral (
    select case
      when latest.winner is not null then case latest.winner when 'buyer' then 'seller' else 'buyer' end
      when dispute.outcome = 'concession' then 'seller'
      when dispute.outcome = 'release' then 'buyer'
      -- Agreed, or done on chain: who got less of the price, and at a tie the side that opened the dispute.
      when dispute.outcome is null then null
      when 2 * hold.released_payer_micros > "order".price_micros then 'seller'
      when 2 * hold.released_payer_micros < "order".price_micros then 'buyer'
      else dispute.opener
    end as loser
  ) outcome on true
  where receipt.finalized_at is not null or latest.winner is not null;

-- What one contribution adds to the sums of its seller.
create function market.sums_of(contribution market.contributions) returns market.reputation_totals
  language sql immutable
  begin atomic
    select (
      contribution.subject_id,
      case when counts then (contribution.finalized_at is not null)::integer else 0 end,
      case when counts then coalesce(contribution.weight * contribution.stars, 0) else 0 end,
      case when counts and contribution.stars is not null then contribution.weight else 0 end,
      case when counts and contribution.loser = 'seller' then contribution.weight else 0 end,
      case when counts and (contribution.loser = 'seller'
        or contribution.finalized_at is not null and contribution.refunded_micros < contribution.price_micros)
        then contribution.weight else 0 end,
      case when counts and contribution.finalized_at is not null
        then contribution.price_micros - contribution.refunded_micros else 0 end,
      case when counts and contribution.finalized_at is not null then contribution.fee_micros else 0 end,
      case when counts and contribution.conceded then 1 else 0 end,
      0, 0, 0, 0
    )::market.reputation_totals
    from (select contribution.ineligible_because is null as counts) as eligible;
  end;

-- Brings the contribution of an order, and the sums of its seller, up to the records of the order, which must
-- be locked. Returns the seller, or null for an order without a final receipt or a verdict.
create function market.record_contribution(of_order uuid) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    former market.contributions;
    latter market.contributions;
    before market.reputation_totals;
    after  market.reputation_totals;
    -- The seller's with this person, before and after. The others are not read: a big seller has tens of thousands.
    pair_before market.reputation_pairs;
    pair_after  market.reputation_pairs;
    rank_before record;
    rank_after  record;
  begin
    select source.* into latter from market.contribution_sources source where source.order_id = of_order;
    if not found then return null; end if;
    insert into market.reputation_totals (subject_id) values (latter.subject_id) on conflict do nothing;
    perform from market.reputation_totals where subject_id = latter.subject_id for no key update;

    select * into former from market.contributions where order_id = of_order;
    if former.finalized_at is not null then latter.ineligible_because := former.ineligible_because; end if;
    delete from market.contributions where order_id = of_order;
    insert into market.contributions select latter.*;

    if former.order_id is not null then before := market.sums_of(former); end if;
    after := market.sums_of(latter);
    insert into market.reputation_pairs (subject_id, counterparty_id) values (latter.subject_id, latter.counterparty_id)
      on conflict do nothing;
    select pair.* into pair_before from market.reputation_pairs pair
      where pair.subject_id = latter.subject_id and pair.counterparty_id = latter.counterparty_id;
    update market.reputation_pairs pair set
      receipts = pair.receipts + after.receipts - coalesce(before.receipts, 0),
      price_micros = pair.price_micros + after.volume_micros - coalesce(before.volume_micros, 0),
      weighted_stars = pair.weighted_stars + after.weighted_stars - coalesce(before.weighted_stars, 0),
      rated_weight = pair.rated_weight + after.rated_weight - coalesce(before.rated_weight, 0),
      rated_micros = pair.rated_micros
        + case when after.rated_weight > 0 then latter.price_micros else 0 end
        - case when before.rated_weight > 0 then former.price_micros else 0 end
    where pair.subject_id = latter.subject_id and pair.counterparty_id = latter.counterparty_id
    returning pair.* into pair_after;
    rank_before := market.rank_terms(pair_before);
    rank_after := market.rank_terms(pair_after);
    update market.reputation_totals total set
      receipts = total.receipts + after.receipts - coalesce(before.receipts, 0),
      weighted_stars = total.weighted_stars + after.weighted_stars - coalesce(before.weighted_stars, 0),
      rated_weight = total.rated_weight + after.rated_weight - coalesce(before.rated_weight, 0),
      lost_weight = total.lost_weight + after.lost_weight - coalesce(before.lost_weight, 0),
      completed_weight = total.completed_weight + after.completed_weight - coalesce(before.completed_weight, 0),
      volume_micros = total.volume_micros + after.volume_micros - coalesce(before.volume_micros, 0),
      fee_micros = total.fee_micros + after.fee_micros - coalesce(before.fee_micros, 0),
      conceded = total.conceded + after.conceded - coalesce(before.conceded, 0),
      counterparties = total.counterparties + (pair_after.price_micros > 0)::integer - (pair_before.price_micros > 0)::integer,
      largest_micros = case
        when pair_after.price_micros >= total.largest_micros then pair_after.price_micros
        when pair_before.price_micros < total.largest_micros then total.largest_micros
        else (select max(pair.price_micros) from market.reputation_pairs pair where pair.subject_id = latter.subject_id)
      end,
      rank_weight = total.rank_weight + rank_after.weight - rank_before.weight,
      rank_stars = total.rank_stars + rank_after.stars - rank_before.stars
    where total.subject_id = latter.subject_id;
    return latter.subject_id;
  end $$;
