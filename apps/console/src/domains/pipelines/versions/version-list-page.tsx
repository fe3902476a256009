import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { type Pipeline, pipelines } from '@gantry/contract/pipelines/pipelines'
import { type Version, versions } from '@gantry/contract/pipelines/editing/versions'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { useGo } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { fieldWord } from '../batches/change-words.ts'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { toPipeline } from '../pipelines/places.ts'
import { CompareDialog, type Compared } from './compare-dialog.tsx'

/** The versions of a pipeline, one for each change. */
export function VersionListPage() {
  return (
    <PipelineFrame screen="cd-versions">
      {(pipeline) => <VersionList key={pipeline.id} pipeline={pipeline} />}
    </PipelineFrame>
  )
}

function VersionList({ pipeline }: { pipeline: Pipeline }) {
  const list = useListState('cd-versions', {})
  const query = useRead(versions.list, { params: { id: pipeline.id }, query: list.query })
  const setting = useRead(pipelines.setting, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
  const file = setting.data?.definitionFile
  const comparing = useDialog<Compared>()
  const go = useGo()
  const words = ({ created, fields }: Version) =>
    created ? t('pipelines-ui-version-created') : fields.map(fieldWord).join(', ')
  return (
    <Section title={t('route-cd-versions')} about={t('pipelines-ui-versions-about')}>
      {file && (
        <p className="g-note" role="status">
          {t('pipelines-ui-versions-file', { path: file.path })}
        </p>
      )}
      <ResourceTable
        label={t('route-cd-versions')}
        query={query}
        list={list}
        rowKey={(row) => row.revision}
        nameOf={(row) => t('pipelines-ui-version-number', { revision: row.revision })}
        columns={[
          {
            key: 'revision',
            title: t('pipelines-ui-version'),
            width: 120,
            cell: (row) => (
              <>
                {row.revision} {row.current && <span className="g-tag">{t('pipelines-ui-version-current')}</span>}
              </>
            ),
          },
          { key: 'fields', title: t('pipelines-ui-version-changed'), cell: words },
          { key: 'by', title: t('pipelines-ui-version-by'), cell: (row) => row.by || '–' },
          timeColumn('at', t('pipelines-ui-version-at'), { wideOnly: true }),
        ]}
        actions={(row) => [
          {
            key: 'compare',
            label: t('pipelines-ui-version-compare'),
            icon: 'diff',
            onClick: () => comparing.show({ from: Math.max(1, row.revision - 1), to: row.revision }),
          },
          {
            key: 'restore',
            label: t('pipelines-ui-version-restore'),
            icon: 'rollback',
            needs: definitions.set,
            disabled: file
              ? t('pipelines-file-decides', { name: pipeline.projectName, path: file.path })
              : row.current && t('pipelines-ui-version-is-current'),
            onClick: () => go(toPipeline('cd-orchestration', pipeline, { version: row.revision })),
          },
        ]}
        empty={{ type: 1, title: t('pipelines-ui-versions-none'), memo: t('pipelines-ui-versions-about') }}
      />
      {comparing.open && <CompareDialog pipelineId={pipeline.id} {...comparing.open} onClose={comparing.hide} />}
    </Section>
  )
}
