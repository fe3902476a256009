-- Names sort as people count: digits by their value, everything else by code point, whatever the database's collation.
-- An ICU collation with numeric ordering would be shorter, but not every PostgreSQL is built with ICU. Every number is
-- padded to 20 digits; the name itself comes last, so that no two names are equal.
create function name_order(name text) returns text
language sql immutable strict parallel safe
return regexp_replace(regexp_replace(name collate "C", '([0-9]+)', '00000000000000000000\1', 'g'),
  '0*([0-9]{20,})', '\1', 'g') || chr(1) || name;

create index pipeline_by_natural_name on pipeline (team_id, name_order(name) collate "C", id);
create index pipeline_of_group_by_natural_name on pipeline (group_id, name_order(name) collate "C", id);
