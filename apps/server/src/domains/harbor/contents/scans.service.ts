import { ScanFinding } from '@gantry/contract/harbor/contents'
import type { List } from '@gantry/contract/paging'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { containing, type Page, paged } from '../../../kernel/paging.ts'
import { openRepository } from './place.ts'

/* Findings of a Harbor's scanners in images. The Harbor keeps the reports: they are read each time and never stored. */

const severities = ScanFinding.shape.severity
const ranks = severities.options

const severityOf = (severity: string): ScanFinding['severity'] =>
  severities.safeParse(severity.toLowerCase()).data ?? 'unknown'

/** Only http and https links, which run no code in the browser. */
const isPage = (link: string): boolean => URL.canParse(link) && /^https?:$/.test(new URL(link).protocol)

const maxWords = 500

interface Image {
  repo: string
  digest: string
}

export async function reportOf(
  ctx: Ctx,
  harborId: number,
  { repo, digest, keyword }: Image & { keyword?: string | undefined },
  at: Page,
): Promise<List<ScanFinding> & { scanner: string; at: string | null }> {
  const { access, place } = await openRepository(ctx, harborId, repo, 'image_harbor_view')
  const report = await ctx.ports.harbor.scanReport(access, place, digest, ctx.signal).catch((error: unknown) => {
    if (error instanceof Fault && error.key === 'resource-missing') throw new Fault('missing', 'harbor-report-none')
    throw error
  })
  const findings = report.findings
    .map(({ links, ...found }) => ({
      ...found,
      severity: severityOf(found.severity),
      description: found.description.slice(0, maxWords),
      link: links.find(isPage) ?? '',
    }))
    .sort(
      (a, b) =>
        ranks.indexOf(a.severity) - ranks.indexOf(b.severity) ||
        compareNames(a.package, b.package) ||
        compareNames(b.id, a.id),
    )
  const found = containing(findings, keyword, (one) => [one.id, one.package, one.severity])
  return { ...paged(found, at), scanner: report.scanner, at: report.at }
}

export async function scanImage(ctx: Ctx, harborId: number, { repo, digest }: Image): Promise<null> {
  const { access, place } = await openRepository(ctx, harborId, repo, 'image_harbor_operate')
  note(ctx, { object: `${repo}@${digest}` })
  await ctx.ports.harbor.scan(access, place, digest)
  return null
}
