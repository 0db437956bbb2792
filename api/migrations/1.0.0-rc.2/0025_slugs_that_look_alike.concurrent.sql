create index concurrently orgs_by_look on market.orgs ((replace(translate(slug, '01', 'ol'), 'm', 'rn')));
