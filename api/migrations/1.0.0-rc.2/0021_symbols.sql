-- Emoji and other symbols are in the search index, and are found.
create or replace function market.symbols(content text, with_parts boolean) returns text[]
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    -- Beyond ASCII, without the symbols that stand for letters and digits: those are words.
    symbol constant text := '[\u00a2-\u00a7\u00a9\u00ac\u00ae-\u00b1\u00b6\u00d7\u00f7\u058f\u060b\u0e3f\u17db\u2020'
      '\u2021\u2030\u2031\u203b\u203c\u2049\u20a0-\u20cf\u2139\u2190-\u2429\u2440-\u244a'
      '\u2500-\u2bff\u3012\u3013\u3020\u3030\u4dc0-\u4dff\U0001d000-\U0001d24f'
      '\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001fbef]';
    sequence constant text := '\U0001f3f4[\U000e0061-\U000e007f]+|[\U0001f1e6-\U0001f1ff]{2}|' || symbol || '(?:\u200d' || symbol || ')*';
  begin
    return (
      select array_agg(distinct one)
      from regexp_matches(regexp_replace(content, '[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]', '', 'g'), sequence, 'g') matched,
        unnest(array_prepend(matched[1], case when with_parts then string_to_array(matched[1], U&'\200d') end)) one);
  end $$;

create or replace function market.words(content text) returns tsvector
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    folded text := market.folded(coalesce(content, ''));
    words text := market.parts(folded);
  begin
    if folded <> words or words ~ '[0-9] [0-9]{3}' then
      words := concat_ws(' ', words, market.joined_words(folded), market.joined_pairs(folded));
    end if;
    if octet_length(folded) <> length(folded) then
      words := concat_ws(' ', regexp_replace(words, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff'
        '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', '', 'g'), market.unspaced_words(folded, true));
    end if;
    return to_tsvector('pg_catalog.english', words) || case
      when octet_length(content) <> length(content) then array_to_tsvector(coalesce(market.symbols(content, true), '{}'))
      else '' end;
  exception when program_limit_exceeded then
    return market.words(left(content, length(content) / 2));
  end $$;

create or replace function market.text_query(content text) returns tsquery
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  set client_min_messages = warning
  as $$
  declare
    matched text[];
    one tsquery;
    every tsquery := '';
    either tsquery := '';
    words text[];
  begin
    -- A sign between two letters makes them a word with spaces around it too: r & d.
    for matched in
      select m from regexp_matches(
        regexp_replace(translate(content, '“”„‟«»‹›', '""""""""'), '(?<!\S)(\S) & (\S)(?!\S)', '\1&\2', 'g'),
        '(-*)(?:"([^"]*)"?|([^[:space:]"]+))', 'g') m
    loop
      if matched[1] = '' and lower(matched[3]) = 'or' then
        either := either || every;
        every := '';
        continue;
      end if;
      words := string_to_array(market.folded(coalesce(matched[2], matched[3])), ' ');
      one := '';
      if matched[2] is not null then
        one := market.phrase_query(words);
      else
        for number in 1 .. cardinality(words) loop
          one := one && market.word_query(words[number], length(matched[1]) % 2 = 1);
        end loop;
      end if;
      -- Symbols on a word are left out, as most texts are written without them: a search for 100€ finds 100.
      if matched[2] is not null or numnode(one) = 0 then
        one := one && coalesce((
          select string_agg(quote_literal(symbol), ' & ') from unnest(market.symbols(coalesce(matched[2], matched[3]), false)) symbol
        ), '')::tsquery;
      end if;
      every := every && case when length(matched[1]) % 2 = 1 and numnode(one) > 0 then !! one else one end;
    end loop;
    return either || every;
  end $$;

-- What was written before. Only rows with symbols are written. Symbols are added to what is indexed: a text
-- that somebody changes meanwhile keeps its new words.
update market.search_documents document set search = document.search || array_to_tsvector(own.symbols)
from (
  select id, market.symbols(concat_ws(E'\n', title, text), true) as symbols from market.pages
  union all select id, market.symbols(text, true) from market.entries
  union all select id, market.symbols(concat_ws(E'\n', title, text, result), true) from market.tasks
  union all select id, market.symbols(text, true) from market.comments
  union all select id, market.symbols(filename, true) from market.attachments) own
where own.id = document.id and own.symbols is not null;
update market.file_texts set text = text where market.symbols(text, true) is not null;
update market.asks set title = title where active and market.symbols(title || ' ' || description, true) is not null;
