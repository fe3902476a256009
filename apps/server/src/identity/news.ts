import { sql } from 'kysely'

/**
 * Of a row of `account`: the version of which the user is still to be told what it brings; empty: of none. It is the newest
 * one; going back to an earlier one is no news. Whoever came after its first start, or set the initial password since,
 * knows no other.
 */
export const unreadVersion = sql<string>`coalesce((
  select newest.version from (select * from product_version order by first_at desc limit 1) as newest
  where newest.noted and not account.newly_built
    and greatest(account.created_at, account.password_changed_at) < newest.first_at
    and account.read_version is distinct from newest.version), '')`
