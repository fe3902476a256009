import { Input, Select } from 'antd'
import { useState, type ReactNode } from 'react'
import { containerFiles, type FileEntry } from '@gantry/contract/stacks/containers/files'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { call, CallError } from '../../../api/call.ts'
import { useRead } from '../../../api/hooks.ts'
import { refreshReads } from '../../../api/queries.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { useMay } from '../../../api/session.ts'
import { download } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FileInput } from '../../../ui/form/file-drop.tsx'
import { bytes } from '../../../ui/format.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { MissingPermission } from '../../../ui/may.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { editAction } from '../../../ui/table/row-actions.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Time } from '../../../ui/time.tsx'
import { FileDialog } from './file-dialog.tsx'
import { canExec, keyOf, shortPod, useContainers, type Row } from './use-containers.ts'
import styles from './containers.module.css'

const joined = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`)
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
const icons: Partial<Record<FileEntry['kind'], IconName>> = { folder: 'archive', link: 'link' }
const isSpecial = ({ kind }: FileEntry): boolean => kind === 'device' || kind === 'other'

/** The files of a service's running containers: browsed, downloaded, uploaded, edited. */
export function ServiceFiles({ service }: { service: ServiceDetail }) {
  const needs = containerFiles.list
  const may = useMay(needs)
  const query = useContainers(service)
  if (!may)
    return (
      <p className="g-note g-note-warn">
        <MissingPermission needs={needs} />
      </p>
    )
  return <Loaded query={query}>{(list) => <Files service={service} rows={list.items.filter(canExec)} />}</Loaded>
}

function Files({ service, rows }: { service: ServiceDetail; rows: readonly Row[] }) {
  const [{ in: wanted, path: at }, setUrl] = useUrlState({ in: '', path: '', page: '1', keyword: '' })
  const path = at === '' ? '/' : at
  const row = rows.find((one) => keyOf(one) === wanted) ?? rows[0]
  if (!row) return <EmptyState title={t('stacks-ui-terminal-none')} memo={t('stacks-ui-files-none-memo')} />
  return (
    <div className={styles.log}>
      <div className="g-bar">
        <Select
          aria-label={t('stacks-ui-container')}
          prefix={<span className="g-faint">{t('stacks-ui-container')}</span>}
          popupMatchSelectWidth={false}
          className={styles.podSelect ?? ''}
          value={keyOf(row)}
          options={rows.map((one) => ({
            value: keyOf(one),
            label: `${shortPod(one.podName, service.name)} / ${one.name}`,
          }))}
          onChange={(next) => setUrl({ in: next, page: '1', keyword: '' })}
        />
      </div>
      <Folder
        key={keyOf(row)}
        service={service}
        row={row}
        path={path}
        go={(to) => setUrl({ path: to === '/' ? '' : to, page: '1', keyword: '' })}
      />
    </div>
  )
}

interface FolderProps {
  service: ServiceDetail
  row: Row
  path: string
  go: (path: string) => void
}

function Folder({ service: { teamId, envId }, row, path, go }: FolderProps) {
  const params = { teamId, envId, podId: row.podId, name: row.name }
  const list = useListState('container-files', { pageSize: 50 })
  const query = useRead(containerFiles.list, { params, query: { ...list.query, path } }, { keep: false })
  const editing = useDialog<string>()
  const [sending, setSending] = useState('')
  const needs = containerFiles.write
  const mayEdit = useMay(needs)
  const save = (to: string, folder: boolean) =>
    download(
      containerFiles.download,
      { params, query: { path: to } },
      `${to.split('/').at(-1) || row.name}${folder ? '.tar' : ''}`,
    ).catch(toast.error)
  async function send(file: File, overwrite = false): Promise<void> {
    const to = joined(path, file.name)
    setSending(file.name)
    try {
      await call(containerFiles.upload, { params, query: { path: to, overwrite: overwrite ? 'true' : 'false' }, file })
      toast.ok(t('stacks-ui-files-uploaded', { name: file.name }))
      await refreshReads([containerFiles.upload])
    } catch (error) {
      const there = (error as { key?: string }).key === 'container-file-exists'
      if (!there || overwrite) {
        toast.error(error)
        return
      }
      const title = t('stacks-ui-files-overwrite', { name: file.name })
      if (await confirm({ title, danger: true, ok: t('stacks-ui-files-overwrite-ok') })) await send(file, true)
    } finally {
      setSending('')
    }
  }
  const open = (entry: FileEntry): void => {
    const to = joined(path, entry.name)
    if (entry.kind === 'folder') go(to)
    else if (entry.kind === 'link') void follow(to)
    else editing.show(to)
  }
  /** Only the container knows whether a link leads to a folder or to a file. */
  async function follow(to: string): Promise<void> {
    try {
      await call(containerFiles.list, { params, query: { path: to, pageSize: 1 } })
      go(to)
    } catch (error) {
      if (error instanceof CallError && error.key === 'container-path-not-folder') editing.show(to)
      else toast.error(error)
    }
  }
  return (
    <>
      <PathBar key={path} path={path} go={go}>
        {mayEdit && (
          <label className={styles.choose}>
            <FileInput accept="" disabled={sending !== ''} onFile={(file) => void send(file)} />
            <Icon name="upload" size={14} />{' '}
            {sending === '' ? t('stacks-ui-files-upload') : t('stacks-ui-files-uploading', { name: sending })}
          </label>
        )}
        <Button small icon="archive" onClick={() => void save(path, true)}>
          {t('stacks-ui-files-archive')}
        </Button>
      </PathBar>
      <ResourceTable
        label={t('stacks-ui-files-in', { path })}
        query={query}
        list={list}
        rowKey={({ name }) => name}
        nameOf={({ name }) => name}
        search={t('stacks-ui-files-search')}
        columns={[
          {
            key: 'name',
            title: t('stacks-ui-files-name'),
            cell: (entry) => (
              <span>
                {isSpecial(entry) ? (
                  <span className="g-mono">{entry.name}</span>
                ) : (
                  <button type="button" className={styles.file} onClick={() => open(entry)}>
                    <Icon name={icons[entry.kind] ?? 'docs'} size={14} /> {entry.name}
                  </button>
                )}
                {entry.target !== '' && <span className="g-faint"> → {entry.target}</span>}
              </span>
            ),
          },
          {
            key: 'size',
            title: t('stacks-ui-files-size'),
            align: 'right',
            width: 100,
            cell: (entry) => (entry.kind === 'file' ? bytes(entry.size) : '–'),
          },
          { key: 'mode', title: t('stacks-ui-files-mode'), mono: true, wideOnly: true, cell: (entry) => entry.mode },
          {
            key: 'changed',
            title: t('stacks-ui-files-changed'),
            width: 140,
            wideOnly: true,
            cell: (entry) => <Time at={entry.changedAt === '' ? null : entry.changedAt} />,
          },
        ]}
        actions={(entry) => [
          {
            key: 'download',
            label: t('stacks-ui-files-download'),
            icon: 'download',
            disabled: isSpecial(entry) && t('stacks-ui-files-special'),
            onClick: () => void save(joined(path, entry.name), entry.kind === 'folder'),
          },
          editAction({
            disabled: entry.kind !== 'file' && t('stacks-ui-files-special'),
            onClick: () => editing.show(joined(path, entry.name)),
          }),
        ]}
        empty={{ type: 'other', title: t('stacks-ui-files-empty') }}
      />
      {editing.open && <FileDialog params={params} path={editing.open} onClose={editing.hide} />}
    </>
  )
}

interface PathBarProps {
  path: string
  go: (path: string) => void
  children: ReactNode
}

/** The present folder, an input for another path, and a button to the parent. */
function PathBar({ path, go, children }: PathBarProps) {
  const [typed, type] = useState(path)
  return (
    <div className="g-bar">
      <Button
        small
        quiet
        icon="up"
        label={t('stacks-ui-files-up')}
        disabled={path === '/' && t('stacks-ui-files-top')}
        onClick={() => go(parentOf(path))}
      />
      <Input
        size="small"
        aria-label={t('stacks-ui-files-path')}
        className={styles.path ?? ''}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onPressEnter={() => go(typed.replace(/\/+$/, '') || '/')}
      />
      {children}
    </div>
  )
}
