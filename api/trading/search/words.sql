-- The words of a text: one normalisation for listings and for search texts.
--
-- A text is folded to words in small letters with spaces between them. Some stay joined by a sign: wi-fi,
-- node.js, 10,000. The index has the parts of such a compound, and the compound as one word. A search for a
-- compound finds both.
--
-- In the expressions below, [a-z0-9\u0080-\U0010ffff] is a letter or digit: no other characters beyond ASCII
-- are left by then.

-- Words beyond ASCII, folded to letters and digits: full width, ligatures and the like as NFKC has them,
-- without accents. Scripts that need no spaces between words stand apart.
create function market.folded_letters(content text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    folded text;
  begin
    -- Invisible: soft hyphens, joiners, direction marks, selectors of a variant, the Arabic letter that only stretches.
    folded := regexp_replace(content,
      '[\u00ad\u034f\u061c\u0640\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]', '', 'g');
    folded := lower(folded);
    -- Not for punctuation alone, which an English text may have.
    if folded ~ '[\u00a0-\u1fff\u2070-\U0010ffff]' then
      -- Trade marks and fractions decompose to letters and digits, which are not part of the word before.
      folded := normalize(regexp_replace(folded, '[\u00bc-\u00be\u2120\u2122\u2150-\u215f]', ' \&', 'g'), nfkd);
      -- Accents of Latin, Greek, Cyrillic, Hebrew and Arabic. The short i, u and yi of Cyrillic are letters of their own.
      folded := lower(normalize(regexp_replace(folded,
        '[\u0300-\u0305\u0307\u0309-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u20d0-\u20f0]'
        '|(?<![\u0456\u0438\u0443])[\u0306\u0308]', '', 'g'), nfc));
      -- Letters that do not decompose.
      folded := translate(folded, 'øłđðħŧςıیىک', 'olddhtσiييك');
      folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      if folded ~ '[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]' then
        folded := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙', repeat('0123456789', 5));
      end if;
    end if;
    -- Quotes and hyphens of every kind. A dash stands between words, unless it is short.
    folded := translate(folded, '‘’‚‛′ʹʻʼʽ‐‑–−·', '''''''''''''''''''-----');
    -- What is left beyond ASCII are letters and digits, and the signs that words of Asia are written with.
    folded := regexp_replace(folded, '[^[:alnum:]\u0001-\u007f\u0483-\u0487\u0900-\u0963\u0966-\u0dff\u0e01-\u0e3a\u0e40-\u0e4e'
      '\u0e80-\u0eff\u0f71-\u0f84\u0f90-\u0fbc\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u3099\u309a]+', ' ', 'g');
    return regexp_replace(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff'
      '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)', ' \1 ', 'g');
  end $$;

-- A text as words with single spaces between them. Within a word, one of .&/@,_- may stand between letters or
-- digits.
create function market.folded(content text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    folded text;
  begin
    folded := case when octet_length(content) = length(content) then lower(content) else market.folded_letters(content) end;
    -- Names that signs tell apart: c++, c#, a+, notepad++, disney+, .net.
    if folded ~ '[^[:space:]][+#]' then
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])#', '\1sharp ', 'g');
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])\+\+', '\1plusplus ', 'g');
      folded := regexp_replace(folded,
        '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])\+(?![a-z0-9+\u0080-\U0010ffff])', '\1plus ', 'g');
      folded := regexp_replace(folded, '([a-z0-9\u0080-\U0010ffff])\+\+', '\1-plusplus ', 'g');
      folded := regexp_replace(folded, '([a-z0-9\u0080-\U0010ffff])\+(?![a-z0-9+\u0080-\U0010ffff])', '\1-plus ', 'g');
    end if;
    if folded ~ '\.[^[:space:]]' then
      folded := regexp_replace(folded, '(?<![a-z0-9.\u0080-\U0010ffff])\.(?=[a-z\u0080-\U0010ffff])', 'dot-', 'g');
      -- u.s.a. is usa, and v1.2 is 1.2.
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])\.'
        '(?=[a-z\u0080-\U0010ffff](?![a-z0-9\u0080-\U0010ffff]))', '\1', 'g');
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])v(?=[0-9]+\.[0-9])', '', 'g');
    end if;
    if strpos(folded, '&') > 0 then
      -- at&t is att, and r & d is rd.
      folded := regexp_replace(folded, '(?<![a-z0-9\u0080-\U0010ffff])(?:([a-z0-9\u0080-\U0010ffff]{1,2})&([a-z0-9\u0080-\U0010ffff]{1,2})'
        '|([a-z\u0080-\U0010ffff]) & ([a-z\u0080-\U0010ffff]))(?![a-z0-9\u0080-\U0010ffff])', '\1\2\3\4', 'g');
    end if;
    if strpos(folded, '''') > 0 then
      -- o'reilly is a compound, world's is not. 10'000 is 10,000.
      folded := regexp_replace(folded,
        '(?<![a-z0-9\u0080-\U0010ffff])([a-z\u0080-\U0010ffff])''(?=[a-z\u0080-\U0010ffff]{3})', '\1-', 'g');
      folded := regexp_replace(folded, '(?<=[0-9])''(?=[0-9]{3})', ',', 'g');
    end if;
    if folded ~ '[a-z\u0080-\U0010ffff][0-9]|[0-9][a-z\u0080-\U0010ffff]' then
      -- gpt4 is gpt-4, and 16gb is 16-gb.
      folded := regexp_replace(folded,
        '(?<![a-z0-9\u0080-\U0010ffff])(?:([a-z\u0080-\U0010ffff]+)([0-9]+)|([0-9]+)([a-z\u0080-\U0010ffff]{2,}))(?![a-z0-9\u0080-\U0010ffff])',
        '\1\3-\2\4', 'g');
    end if;
    -- All other signs, and these where they join nothing.
    folded := regexp_replace(folded, '[^ a-z0-9.&/@,_\u0080-\U0010ffff-]', ' ', 'g');
    if folded ~ '[^ 0-9],[^ ]|[^ ],[^ 0-9]' then folded := regexp_replace(folded, '(?<![0-9]),|,(?![0-9])', ' ', 'g'); end if;
    return btrim(regexp_replace(folded, '[ .&/@,_-]{2,}', ' ', 'g'), ' .&/@,_-');
  end $$;

-- A folded text with its compounds apart.
create function market.parts(folded text) returns text
  language sql immutable strict parallel safe
  begin atomic
    select translate(folded, '.&/@,_-', '       ');
  end;

-- For scripts without spaces between words: every two adjacent characters and, for the index, every
-- character. A single character is its own word.
create function market.unspaced_words(folded text, with_singles boolean) returns text
  language sql immutable strict
  begin atomic
    select string_agg(concat_ws(' ', case when with_singles or pairs is null then singles end, pairs), ' ' order by run.place)
    from regexp_matches(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff'
      '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)', 'g') with ordinality run (matched, place),
    lateral (
      select string_agg(character, ' ' order by place) as singles, string_agg(character || next, ' ' order by place) as pairs
      from (
        select character, place, lead(character) over (order by place) as next
        from unnest(string_to_array(matched[1], null)) with ordinality of_run (character, place)) with_next) words;
  end;

-- The compounds of a folded text as single words, and its numbers without the signs between thousands. Other
-- digits that signs divide are not joined: 1.2.3 is another word than 123.
create function market.joined_words(folded text) returns text
  language sql immutable strict
  begin atomic
    select concat_ws(' ',
      (select string_agg(regexp_replace(
          regexp_replace(matched[1], '(?<=[0-9])[.&/@,_-](?=[0-9])', 'dot', 'g'), '[.&/@,_-]', '', 'g'), ' ')
        from regexp_matches(folded, '[^ .&/@,_-]+(?:[.&/@,_-][^ .&/@,_-]+)+', 'g') matched where length(matched[1]) <= 100),
      (select string_agg(translate(matched[1], ' .,', ''), ' ')
        from regexp_matches(folded,
          '(?<![0-9.,])([0-9]{1,3}(?:(?:[.,][0-9]{2,3})*[.,][0-9]{3}|(?: [0-9]{3})+))(?![0-9])', 'g') matched
        where length(matched[1]) <= 100),
      -- 1,299.99 is 1299.99.
      (select string_agg(translate(matched[1], ' .,', '') || 'dot' || matched[2], ' ')
        from regexp_matches(folded, '(?<![0-9.,])([0-9]{1,3}(?:[., ][0-9]{3})+)[.,]([0-9]{1,2})(?![0-9.,])', 'g') matched
        where length(matched[1]) <= 100));
  end;

-- Every two adjacent parts of the compounds of three or more parts: gpt-4-turbo has the words gpt4 and
-- 4turbo.
create function market.joined_pairs(folded text) returns text
  language sql immutable strict
  begin atomic
    select string_agg(part || next, ' ')
    from (
      select part, lead(part) over (partition by number order by place) as next
      from regexp_matches(folded, '[^ .&/@,_-]+(?:[.&/@,_-][^ .&/@,_-]+){2,}', 'g') with ordinality compound (matched, number),
        regexp_split_to_table(matched[1], '[.&/@,_-]') with ordinality of_compound (part, place)
      where length(matched[1]) <= 100) parts
    where part || ' ' || next !~ '[0-9] [0-9]';
  end;

-- The emoji and other symbols of a text, which no parser of words keeps: one character, without a tone of
-- skin or a selector of a variant; a flag; or emoji that joiners make one, with_parts each of these too.
create function market.symbols(content text, with_parts boolean) returns text[]
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

-- The words of a text in the form of the search index. If a text has more words than one tsvector holds (1
-- MB), only its first half is indexed, or the first half of that.
create function market.words(content text) returns tsvector
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

-- The query for one word of a search text, which may be a compound, or characters without spaces.
create function market.word_query(word text, in_order boolean) returns tsquery
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  -- No word about stop words to whoever searches.
  set client_min_messages = warning
  as $$
  declare
    characters text := market.unspaced_words(word, false);
    parts tsquery := phraseto_tsquery('pg_catalog.english', market.parts(word));
    joined tsquery := '';
    one text;
  begin
    if characters is not null then
      return case when in_order then phraseto_tsquery('pg_catalog.english', characters)
        else plainto_tsquery('pg_catalog.english', characters) end;
    end if;
    foreach one in array string_to_array(market.joined_words(word), ' ') loop
      joined := joined || plainto_tsquery('pg_catalog.english', one);
    end loop;
    return case
      when numnode(joined) = 0 then parts
      -- A part that is left when stop words are dropped, the shirt of t-shirt, is not the compound.
      when numnode(parts) < 3 then joined
      else parts || joined end;
  end $$;

-- The query for words in this order. Characters without spaces are searched for separately.
create function market.phrase_query(words text[]) returns tsquery
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  set client_min_messages = warning
  as $$
  declare
    word text;
    spaced text := '';
    phrase tsquery := '';
  begin
    foreach word in array words loop
      if market.unspaced_words(word, false) is null then
        spaced := concat_ws(' ', spaced, market.parts(word));
      else
        phrase := phrase && market.word_query(word, true);
      end if;
    end loop;
    phrase := phrase && phraseto_tsquery('pg_catalog.english', spaced);
    if numnode(phrase) = 0 then
      foreach word in array words loop
        phrase := phrase && market.word_query(word, true);
      end loop;
    end if;
    return phrase;
  end $$;

-- A search text in the syntax of web searches: words, "a phrase", -without, this or that. Every text is
-- valid. Two dashes cancel each other. A text of only stop words finds nothing.
create function market.text_query(content text) returns tsquery
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

-- The key that finds a title that was typed as a whole, even one of stop words: To do, Who we are. A text
-- without letters and digits is its own key. Cut to the size of an index entry.
create function market.title_key(title text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
  begin
    return left(coalesce(nullif(market.parts(market.folded(title)), ''), lower(btrim(title))), 300);
  end $$;

-- A text in pieces of 200 characters, each with some of its neighbours, for the words that end there.
create function market.pieces(content text) returns table (place bigint, piece text)
  language sql immutable strict
  begin atomic
    select place, concat(right(lag(matched[1]) over by_place, 40), matched[1], left(lead(matched[1]) over by_place, 40))
    from regexp_matches(content, '.{1,200}', 'g') with ordinality pieces (matched, place)
    window by_place as (order by place);
  end;

-- The piece of a text that has most of a query's words, or the first piece. `typed` are the words as typed,
-- in lower case. Pieces are first compared as written, because that is quick, then the first ones in the form
-- of the index.
create function market.snippet(content text, query tsquery, typed text[]) returns text
  language plpgsql immutable strict
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    found text;
  begin
    select piece into found
      from (select place, piece, to_tsvector('pg_catalog.english', piece) as words from market.pieces(content)) read
      where words @@ query or exists (select from unnest(typed) word where strpos(lower(piece), word) > 0)
      order by ts_rank(words, query) desc, place limit 1;
    if to_tsvector('pg_catalog.english', found) @@ query then
      return ts_headline('pg_catalog.english', found, query, 'MaxFragments=1, MinWords=8, MaxWords=24, StartSel="", StopSel=""');
    end if;
    if found is null then
      select piece into found from market.pieces(left(content, 20000)) where market.words(piece) @@ query limit 1;
    end if;
    -- Without half a word at the beginning, and, as ts_headline, without tags.
    return regexp_replace(coalesce(regexp_replace(found, '^\S{0,40}\s(?=.{200})', ''), left(content, 200)),
      '</?[a-zA-Z!][^>]*>', ' ', 'g');
  end $$;
