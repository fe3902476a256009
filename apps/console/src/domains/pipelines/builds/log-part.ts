import type { builds } from '@gantry/contract/pipelines/builds'
import type { z } from 'zod'
import type { LogPart } from '../../../ui/log/log-feed.ts'
import type { Hit } from '../../../ui/log/log-search.ts'

type Answer = z.output<typeof builds.log.data>

/** The server counts lines from 0; users, links and the log view from 1. */
export const partOf = ({ lines, total, complete }: Answer): LogPart => ({
  lines: lines.map((line) => ({ ...line, n: line.n + 1 })),
  total,
  complete,
})

type Found = z.output<typeof builds.searchLog.data>

/** Where a search continues. */
export type SearchPlace = NonNullable<Found['next']>

export const hitOf = ({ step, n }: Found['hits'][number]): Hit => ({ part: String(step), line: n + 1 })
