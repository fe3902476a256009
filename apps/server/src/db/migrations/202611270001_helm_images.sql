-- Which images a release runs, and which its earlier revisions would bring back: as its manifests name them.
create table helm_release_image (
  release_id int not null references helm_release on delete cascade,
  -- 0: of a deployment that goes on
  revision int not null,
  runs boolean not null,
  image text not null,
  -- the repository, without its registry's host
  path text not null,
  primary key (release_id, revision, image)
);
create index helm_release_image_by_path on helm_release_image (path);
