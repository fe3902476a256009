import { sql } from 'kysely'

/**
 * For a row of `account`: the version whose news the user has not been shown yet; empty if there is none. Only the
 * newest version counts; going back to an earlier one is no news. Users who came after that version first started, or
 * changed their password since then, get none of its news.
 */
export const unreadVersion = sql<string>`coalesce((
  select newest.version from (select * from product_version order by first_at desc limit 1) as newest
  where newest.noted and not account.newly_built
    and greatest(account.created_at, account.password_changed_at) < newest.first_at
    and account.read_version is distinct from newest.version), '')`
