import { builds, type Artifact } from '@gantry/contract/pipelines/builds'
import type { z } from 'zod'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { download } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { bytes } from '../../../ui/format.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'

/** The files that a build keeps, each to download. */
export function ArtifactTable({ pipelineId, number }: { pipelineId: number; number: number }) {
  const params = { id: pipelineId, number }
  const query = useRead(builds.artifacts, { params })
  const save = (artifact: z.infer<typeof Artifact>) => {
    const name = artifact.path.split('/').at(-1) ?? artifact.path
    download(builds.artifactFile, { params: { ...params, artifactId: artifact.id } }, name).catch(toast.error)
  }
  return (
    <ResourceTable
      label={t('route-cd-build-artifacts')}
      query={query}
      rowKey={(row) => row.id}
      columns={[
        { key: 'path', title: t('pipelines-ui-path'), cell: (row) => <span className="g-mono">{row.path}</span> },
        { key: 'size', title: t('pipelines-ui-size'), align: 'right', cell: (row) => bytes(row.size) },
        {
          key: 'sha256',
          title: 'SHA-256',
          cell: (row) => <Copyable text={row.sha256} short={12} />,
          wideOnly: true,
        },
        { key: 'step', title: t('pipelines-ui-step'), cell: (row) => row.step, wideOnly: true },
        {
          key: 'createdAt',
          title: t('pipelines-ui-created-at'),
          cell: (row) => <Time at={row.createdAt} />,
          wideOnly: true,
        },
        {
          key: 'download',
          title: t('pipelines-ui-download'),
          width: 96,
          cell: (row) => (
            <Button
              small
              quiet
              icon="download"
              label={t('pipelines-ui-download-of', { name: row.path })}
              onClick={() => save(row)}
            />
          ),
        },
      ]}
      empty={{ type: 1, title: t('pipelines-ui-no-artifacts'), memo: t('pipelines-ui-no-artifacts-memo') }}
    />
  )
}
