import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { buildTopic } from '../topics.ts'

export const FindingCounts = z.object({
  critical: z.number().int(),
  high: z.number().int(),
  medium: z.number().int(),
  low: z.number().int(),
})
export type FindingCounts = z.infer<typeof FindingCounts>

/** The counts of one step's scanners; the places in files are annotations. */
export const ScanResult = FindingCounts.extend({ step: z.number().int(), stepName: z.string() })
export type ScanResult = z.infer<typeof ScanResult>

export const scans = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/scans',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary: "How many findings of each severity a build's scan steps have",
    params: z.strictObject({ id: idOrUuid, number: id }),
    data: z.array(ScanResult),
    topics: [buildTopic],
  }),
}
