import { type ArtifactEntry, artifacts } from '@gantry/contract/pipelines/artifacts'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { download } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { bytes } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import type { ChosenAttempt } from '../attempts/chosen-attempt.ts'
import styles from './uploads.module.css'

interface Props {
  pipelineId: number
  number: number
  of?: ChosenAttempt | undefined
}

/** The files of a build, or of one attempt of a job, folder by folder: files to download, a folder as one ZIP file. */
export function ArtifactTable({ pipelineId, number, of }: Props) {
  const params = { id: pipelineId, number }
  const list = useListState('cd-build-artifacts', { pageSize: 50 })
  const [{ folder }, setUrl] = useUrlState({ folder: '', page: '1', keyword: '' })
  const query = useRead(artifacts.tree, { params, query: { ...list.query, folder, ...of } })
  const enter = (path: string) => setUrl({ folder: path, page: '1', keyword: '' })
  const saveFolder = (path: string) => {
    const name = path.split('/').at(-1) || `build-${number}`
    download(artifacts.zip, { params, query: { folder: path, ...of } }, `${name}.zip`).catch(toast.error)
  }
  const save = ({ id, path }: ArtifactEntry) => {
    if (id === null) return saveFolder(path)
    download(artifacts.file, { params: { ...params, artifactId: id } }, path.split('/').at(-1)).catch(toast.error)
  }
  return (
    <ResourceTable
      label={t('route-cd-build-artifacts')}
      query={query}
      list={list}
      rowKey={(row) => `${row.id} ${row.path}`}
      search={t('pipelines-ui-artifacts-search')}
      toolbar={
        <>
          <FolderPath folder={folder} enter={enter} />
          <Button icon="archive" onClick={() => saveFolder(folder)}>
            {t('pipelines-ui-artifacts-zip')}
          </Button>
        </>
      }
      columns={[
        {
          key: 'path',
          title: t('pipelines-ui-path'),
          mono: true,
          cell: (row) => <EntryName row={row} enter={enter} />,
        },
        { key: 'size', title: t('pipelines-ui-size'), align: 'right', cell: (row) => bytes(row.size) },
        {
          key: 'sha256',
          title: 'SHA-256',
          cell: (row) => (row.sha256 === '' ? '' : <Copyable text={row.sha256} short={12} />),
          wideOnly: true,
        },
        { key: 'step', title: t('pipelines-ui-step'), cell: (row) => row.step, wideOnly: true },
        timeColumn('createdAt', t('pipelines-ui-created-at'), { wideOnly: true }),
        {
          key: 'download',
          title: t('pipelines-ui-download'),
          width: 96,
          cell: (row) => (
            <Button
              small
              quiet
              icon={row.id === null ? 'archive' : 'download'}
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

function EntryName({ row, enter }: { row: ArtifactEntry; enter: (path: string) => void }) {
  if (row.id !== null) return row.name
  return (
    <button type="button" className={styles.folder} onClick={() => enter(row.path)}>
      <Icon name="archive" size={14} /> {row.name}/
      <span className="g-quiet">{t('pipelines-ui-artifacts-files', { count: row.files })}</span>
    </button>
  )
}

/** The path of the open folder; each part links to its folder. */
function FolderPath({ folder, enter }: { folder: string; enter: (path: string) => void }) {
  if (folder === '') return null
  const parts = folder.split('/')
  return (
    <nav className={styles.way} aria-label={t('pipelines-ui-artifacts-folder')}>
      <button type="button" className={styles.folder} onClick={() => enter('')}>
        {t('pipelines-ui-artifacts-top')}
      </button>
      {parts.map((part, at) => {
        const path = parts.slice(0, at + 1).join('/')
        return (
          <span key={path}>
            /
            {at === parts.length - 1 ? (
              <span aria-current="location">{part}</span>
            ) : (
              <button type="button" className={styles.folder} onClick={() => enter(path)}>
                {part}
              </button>
            )}
          </span>
        )
      })}
    </nav>
  )
}
