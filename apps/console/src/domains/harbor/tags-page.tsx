import { replications } from '@gantry/contract/harbor/replication'
import { harborContents, type HarborImage, type ScanFigures } from '@gantry/contract/harbor/contents'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { bytes } from '../../ui/format.ts'
import { to, useParam } from '../../ui/link.tsx'
import { type Crumb, Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { UsedBy } from '../images/public.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { LayersDialog } from './layers-dialog.tsx'
import { ReportDialog } from './report-dialog.tsx'
import { ScanCell } from './scan-cell.tsx'
import { UsesDialog } from './uses-dialog.tsx'
import { wayBack } from './way-back.ts'

/** Images in a repository of the team. */
export function TeamTagsPage() {
  const [{ repo }] = useUrlState({ repo: '' })
  const [harborId, projectId] = [Number(useParam('harbor_id')), Number(useParam('project_id'))]
  const [namespaceId, from] = [useParam('namespace_id'), useParam('from_type')]
  const project = to('registry-repositories', {
    namespace_id: namespaceId,
    harbor_id: harborId,
    project_id: projectId,
    from_type: from,
  })
  return (
    <Images
      harborId={harborId}
      projectId={projectId}
      repo={repo}
      ofTeam
      crumbs={[wayBack(from, harborId), { label: projectOf(repo), to: project }]}
    />
  )
}

/** The same for any repository, for administrators. */
export function SystemTagsPage() {
  const [harborId, projectId] = [Number(useParam('harbor_id')), Number(useParam('project_id'))]
  const repo = useParam('repository_id')
  return (
    <Images
      harborId={harborId}
      projectId={projectId}
      repo={repo}
      ofTeam={false}
      crumbs={[
        { label: t('route-sys-registry'), to: to('sys-registry') },
        wayBack('harbor', harborId),
        { label: projectOf(repo), to: to('sys-harbor-project', { harbor_id: harborId, project_id: projectId }) },
      ]}
    />
  )
}

const projectOf = (repo: string): string => repo.split('/', 1)[0] ?? ''

interface ImagesProps {
  harborId: number
  projectId: number
  repo: string
  ofTeam: boolean
  crumbs: readonly Crumb[]
}

function Images({ harborId, projectId, repo, ofTeam, crumbs }: ImagesProps) {
  const list = useListState('harbor-tags')
  const params = { id: harborId }
  const query = useRead(harborContents.tags, { params, query: { ...list.query, repo, projectId } })
  const digests = (query.data?.items ?? []).map(({ digest }) => digest)
  const [scanning, setScanning] = useState(false)
  // Read separately from the list, so that a slow scanner delays no row.
  const scans = useRead(
    harborContents.scans,
    { params, query: { repo, digests: digests.join(',') } },
    { enabled: digests.length > 0, keep: false, every: scanning ? 2000 : false },
  )
  const figures = new Map<string, ScanFigures>((scans.data ?? []).map((one) => [one.digest, one]))
  const isScanning = (scans.data ?? []).some(({ state }) => state === 'waiting' || state === 'running')
  if (isScanning !== scanning) setScanning(isScanning)
  const layers = useDialog<HarborImage>()
  const uses = useDialog<HarborImage>()
  const report = useDialog<HarborImage>()
  const copying = useDialog<readonly string[]>()
  const scan = useWrite(harborContents.scan, {
    done: (_, { named = '' }) => t('harbor-ui-scan-begun', { name: named }),
  })
  const remove = useWrite(harborContents.removeTag, {
    done: 'delete-success',
    quiet: true,
  })
  const askRemove = (row: HarborImage) =>
    confirmDelete({
      title: t('harbor-ui-image-delete-title', { name: nameOf(row) }),
      goes: [t('harbor-ui-goes-digest', { digest: row.digest }), ...row.tags.map(({ name }) => `${repo}:${name}`)],
      run: () => remove.mutateAsync({ named: nameOf(row), params, query: { repo, projectId, digest: row.digest } }),
    })
  const askRemoveTag = (row: HarborImage, tag: string) =>
    confirmDelete({
      title: t('harbor-ui-tag-delete-title', { name: tag }),
      text: t('harbor-ui-tag-delete-text'),
      run: () => remove.mutateAsync({ named: tag, params, query: { repo, projectId, tag, digest: row.digest } }),
    })
  return (
    <Page title={repo} about={<Copyable text={repo} />} crumbs={crumbs}>
      <ResourceTable
        label={t('route-registry-tags')}
        query={query}
        list={list}
        search={t('harbor-ui-tag-search')}
        rowKey={(row) => row.digest}
        nameOf={nameOf}
        columns={[
          { key: 'tags', title: t('harbor-ui-tags'), cell: tagsOf, mono: true },
          { key: 'digest', title: t('harbor-ui-digest'), cell: (row) => <Copyable text={row.digest} short={19} /> },
          { key: 'size', title: t('harbor-ui-size'), align: 'right', width: 104, cell: (row) => bytes(row.size) },
          {
            key: 'platforms',
            title: t('harbor-ui-platforms'),
            cell: (row) => row.platforms.join(', ') || '–',
            wideOnly: true,
          },
          {
            key: 'scan',
            title: t('harbor-ui-scan'),
            cell: (row) => <ScanCell figures={figures.get(row.digest)} loading={scans.isPending} />,
          },
          { key: 'uses', title: t('images-ui-used-by'), cell: (row) => <UsedBy uses={row.uses} /> },
          timeColumn('pushedAt', t('harbor-ui-pushed')),
          timeColumn('pulledAt', t('harbor-ui-pulled'), { wideOnly: true }),
        ]}
        actions={(row) => [
          { key: 'uses', label: t('images-ui-uses'), icon: 'link', onClick: () => uses.show(row) },
          { key: 'layers', label: t('harbor-ui-layers'), icon: 'archive', onClick: () => layers.show(row) },
          {
            key: 'report',
            label: t('harbor-ui-report'),
            icon: 'log',
            disabled: figures.get(row.digest)?.state === 'none' && t('harbor-report-none'),
            onClick: () => report.show(row),
          },
          {
            key: 'scan',
            label: t('harbor-ui-scan-now'),
            icon: 'search',
            needs: harborContents.scan,
            onClick: () => scan.mutate({ named: nameOf(row), params, body: { repo, digest: row.digest } }),
          },
          ...row.tags.slice(0, 10).map(({ name, immutable }) => ({
            key: `tag-${name}`,
            label: t('harbor-ui-tag-delete', { name }),
            icon: 'delete' as const,
            danger: true,
            needs: harborContents.removeTag,
            disabled: immutable && t('harbor-ui-immutable'),
            onClick: () => void askRemoveTag(row, name),
          })),
          {
            key: 'delete',
            label: t('harbor-ui-image-delete'),
            icon: 'delete',
            danger: true,
            needs: harborContents.removeTags,
            onClick: () => void askRemove(row),
          },
        ]}
        bulk={[
          {
            key: 'copy',
            label: t('harbor-ui-copy'),
            needs: replications.start,
            whole: (rows) => {
              const tags = rows.flatMap((row) => row.tags.map(({ name }) => name))
              if (tags.length === 0) toast.warn(t('harbor-ui-copy-untagged'))
              else copying.show(tags)
              return Promise.resolve(false)
            },
          },
          {
            key: 'delete',
            label: t('harbor-ui-images-delete'),
            needs: harborContents.removeTags,
            danger: true,
            ask: (rows) => t('harbor-ui-images-delete-text', { tags: rows.flatMap(({ tags }) => tags).length }),
            run: (row) => removeImage(params, projectId, repo, row.digest),
          },
        ]}
        empty={{ type: 6, title: t('harbor-ui-images-none'), memo: t('harbor-ui-images-none-memo') }}
      />
      {copying.open && (
        <CopyDialog harborId={harborId} repo={repo} tags={copying.open} ofTeam={ofTeam} onClose={copying.hide} />
      )}
      {uses.open && <UsesDialog harborId={harborId} repo={repo} image={uses.open} onClose={uses.hide} />}
      {report.open && <ReportDialog harborId={harborId} repo={repo} image={report.open} onClose={report.hide} />}
      {layers.open && <LayersDialog harborId={harborId} repo={repo} image={layers.open} onClose={layers.hide} />}
    </Page>
  )
}

const nameOf = ({ tags, digest }: HarborImage): string => tags[0]?.name ?? digest.slice(0, 19)

const tagsOf = ({ tags }: HarborImage): string =>
  tags.length === 0 ? t('harbor-ui-untagged') : tags.map(({ name }) => name).join(', ')

/** A batch of one: its result is that of this row. */
async function removeImage(params: { id: number }, projectId: number, repo: string, digest: string): Promise<void> {
  const [result] = await call(harborContents.removeTags, { params, body: { projectId, repo, tags: [digest] } })
  if (result && !result.done) throw new Error(result.problem)
}
