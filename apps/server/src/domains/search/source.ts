import type { SearchHit, SearchKind } from '@gantry/contract/search/search'
import type { Kysely } from 'kysely'
import type { Wanted } from '../../db/search.ts'
import type { Tables } from '../../db/tables.gen.ts'

/** A hit with what it is sorted by: how well its name matches (see rank), and whether it is of another team than the current one. */
export interface Found {
  hit: SearchHit
  rank: number
  elsewhere: boolean
}

/** What a domain can be asked for by name, in `domains/<domain>/<thing>.search.ts`, exported as `search`. */
export interface Source {
  kind: SearchKind
  /**
   * What the thing's own page asks for, all of it in the hit's team: nobody is shown what that page would refuse. `admin`:
   * what belongs to the installation.
   */
  needs: readonly string[] | 'admin'
  /** One statement, which reads no more than `wanted.limit` rows; the best first. */
  find: (db: Kysely<Tables>, wanted: Wanted) => Promise<Found[]>
}
