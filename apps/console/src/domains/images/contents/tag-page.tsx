import { contents, type Tag } from '@gantry/contract/images/contents'
import { repositoryOfId } from '@gantry/contract/images/keys'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { bytes } from '../../../ui/format.ts'
import { to, useParam } from '../../../ui/link.tsx'
import { type Crumb, Page } from '../../../ui/page.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { deleteAction } from '../../../ui/table/row-actions.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from './contents.module.css'
import type { Wanted } from './deletion.ts'
import { DeletionDialog } from './deletion-dialog.tsx'
import { ImagePanel } from './image-panel.tsx'
import { UnusedDialog } from './unused-dialog.tsx'
import { UsedBy } from './uses.tsx'

/** Tags of a repository of a registry that the team uses. */
export function TagListPage() {
  const repoId = useParam('repo_id')
  const registryId = repositoryOfId(repoId)?.registryId
  return (
    <TagList
      name="thirdparty-tags"
      repoId={repoId}
      crumbs={[
        { label: t('route-thirdparty-registry'), to: to('thirdparty-registry') },
        { label: t('route-registry-repositories'), to: to('thirdparty-repos', {}, { registryId }) },
      ]}
    />
  )
}

/** The same for a registry of the platform. */
export function PlatformTagListPage() {
  const registryId = useParam('registry_id')
  return (
    <TagList
      name="sys-registry-tag"
      repoId={useParam('repo_id')}
      crumbs={[
        { label: t('route-sys-registry'), to: to('sys-registry') },
        { label: t('route-registry-repositories'), to: to('sys-registry-repo', { registry_id: registryId }) },
      ]}
    />
  )
}

interface TagListProps {
  name: 'thirdparty-tags' | 'sys-registry-tag'
  repoId: string
  crumbs: readonly Crumb[]
}

function TagList({ name, repoId, crumbs }: TagListProps) {
  const key = repositoryOfId(repoId)
  const list = useListState(name, { sort: '-name' })
  const query = useRead(
    contents.tags,
    { params: { id: key?.registryId ?? 0 }, query: { repo: key?.repository ?? '', ...list.query } },
    { enabled: key !== undefined },
  )
  const showing = useDialog<Tag>()
  const looking = useDialog()
  const [deleting, setDeleting] = useState<readonly Wanted[]>()
  const problem = query.data?.problem
  if (key === undefined)
    return (
      <Page title={t(`route-${name}`)} crumbs={crumbs}>
        <Failed error={new Error(t('resource-missing'))} />
      </Page>
    )
  return (
    <Page
      title={key.repository}
      crumbs={crumbs}
      about={query.data && <Copyable text={query.data.image} />}
      actions={
        <Button icon="clock" needs={contents.removeTags} onClick={() => looking.show(true)}>
          {t('images-ui-unused')}
        </Button>
      }
    >
      {problem && <p className="g-note g-note-warn">{problem.text}</p>}
      <ResourceTable
        label={t(`route-${name}`)}
        query={query}
        list={list}
        search={t('images-ui-tags-search')}
        rowKey={(row) => row.tagId}
        nameOf={(row) => row.tag}
        columns={columns(showing.show)}
        actions={(row) => [
          {
            key: 'show',
            label: t('images-ui-show'),
            icon: 'eye',
            disabled: isDangling(row) && (row.problem?.text ?? ''),
            onClick: () => showing.show(row),
          },
          deleteAction({
            needs: contents.removeTag,
            disabled: row.digest === '' && (row.problem?.text ?? ''),
            onClick: () => setDeleting([row]),
          }),
        ]}
        choosable={(row) => row.digest !== ''}
        bulk={[
          {
            key: 'delete',
            label: t('images-ui-tags-delete'),
            danger: true,
            needs: contents.removeTags,
            whole: (rows) => {
              setDeleting(rows)
              return Promise.resolve(true)
            },
          },
        ]}
        empty={{ type: 6, title: t('images-ui-tags-none'), memo: t('images-ui-tags-none-memo') }}
      />
      {showing.open && <ImagePanel repoId={repoId} tag={showing.open} onClose={showing.hide} />}
      {looking.open && (
        <UnusedDialog
          repoId={repoId}
          onClose={looking.hide}
          onFound={(tags) => {
            looking.hide()
            setDeleting(tags)
          }}
        />
      )}
      {deleting && <DeletionDialog repoId={repoId} tags={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}

/** Whether the tag's image no longer exists. */
const isDangling = ({ problem }: Tag): boolean => problem?.key === 'registry-tag-dangling'

const columns = (show: (row: Tag) => void): readonly Column<Tag>[] => [
  {
    key: 'name',
    title: t('images-ui-tag'),
    sort: true,
    cell: (row) => (
      <div className={styles.tag}>
        {isDangling(row) ? (
          <span className="g-mono g-faint">{row.tag}</span>
        ) : (
          <Button quiet small onClick={() => show(row)}>
            <span className="g-mono">{row.tag}</span>
          </Button>
        )}
      </div>
    ),
  },
  {
    key: 'digest',
    title: t('images-ui-digest'),
    cell: (row) =>
      row.problem === null ? (
        <Copyable text={row.digest} short={19} />
      ) : (
        <span className="g-bad">{row.problem.text}</span>
      ),
  },
  {
    key: 'size',
    title: t('images-ui-size'),
    align: 'right',
    width: 96,
    cell: (row) => (row.problem === null ? bytes(row.size) : '–'),
  },
  {
    key: 'made',
    title: t('images-ui-made'),
    width: 128,
    cell: (row) =>
      row.createdAt === null ? (
        <span className="g-faint" title={t('images-ui-made-unknown')}>
          –
        </span>
      ) : (
        <Time at={row.createdAt} />
      ),
  },
  {
    key: 'platforms',
    title: t('images-ui-platforms'),
    cell: (row) => (row.type === 'image' ? row.platforms.join(', ') : t(`images-ui-type-${row.type}`)),
    wideOnly: true,
  },
  { key: 'uses', title: t('images-ui-used-by'), cell: (row) => <UsedBy uses={row.uses} /> },
]
