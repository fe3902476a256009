-- Which repositories the images of a specification lie in, without their registry's host: a service that uses an image
-- is found by it among all. Names are compared whole in the server, which knows the hosts.
create function image_refs(spec jsonb) returns text[]
language sql immutable strict parallel safe
return (
  select coalesce(array_agg(distinct image #>> '{}'), '{}')
  from jsonb_path_query(spec, '$.**.image') as image
  where jsonb_typeof(image) = 'string'
);

create function image_paths(spec jsonb) returns text[]
language sql immutable strict parallel safe
return (
  select coalesce(array_agg(distinct regexp_replace(regexp_replace(split_part(image #>> '{}', '@', 1), ':[^:/]*$', ''),
    '^([^/]*[.:A-Z\[][^/]*|localhost)/', '')), '{}')
  from jsonb_path_query(spec, '$.**.image') as image
  where jsonb_typeof(image) = 'string'
);

create index service_by_image on service using gin (image_paths(spec));
create index service_by_previous_image on service using gin (image_paths(previous_spec));
create index service_revision_by_image on service_revision using gin (image_paths(spec));
create index build_image_by_name on build_image (registry_id, image, digest);
