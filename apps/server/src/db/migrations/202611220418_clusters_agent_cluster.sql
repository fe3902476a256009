-- One environment is one cluster: which one its agents dial out of (a digest of what tells clusters apart), until when one was known to be
-- connected, and when the agent of another one was refused last.
alter table cluster_agent add column cluster bytea;
alter table cluster_agent add column cluster_seen_at timestamptz;
alter table cluster_agent add column other_refused_at timestamptz;
