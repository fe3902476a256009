import { Checkbox } from 'antd'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ldap, type LdapEntry, type LdapServer } from '@gantry/contract/ldap/ldap'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Problem } from '../../ui/feedback/problem.tsx'
import { Rows } from '../../ui/table/rows.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { ImportReport } from './import-report.tsx'
import styles from './ldap.module.css'

interface ImportDialogProps {
  server: LdapServer
  onClose: () => void
}

const pageSize = 50

/** Finds users in a directory and creates accounts for the selected ones. */
export function ImportDialog({ server, onClose }: ImportDialogProps) {
  const client = useQueryClient()
  const [keyword, setKeyword] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const params = { id: server.id }
  const key = [ldap.search.method, ldap.search.path, params]
  const query = useInfiniteQuery({
    queryKey: [...key, keyword],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const narrow = { ...(keyword !== '' && { keyword }), ...(pageParam !== '' && { cursor: pageParam }) }
      return call(ldap.search, { params, query: { pageSize, ...narrow } }, signal)
    },
    getNextPageParam: (last) => last.next ?? undefined,
  })
  const found = query.data?.pages.flatMap((page) => page.items) ?? []
  const make = useWrite(ldap.importEntries, { quiet: true })
  const choose = (dns: string[], on: boolean) =>
    setChosen((now) => new Set(on ? [...now, ...dns] : [...now].filter((dn) => !dns.includes(dn))))
  const again = () => {
    setChosen(new Set())
    make.reset()
    void client.invalidateQueries({ queryKey: key })
  }

  return (
    <Dialog
      width={760}
      title={t('ldap-ui-import-title', { name: server.name })}
      closes={make.isPending ? 'asked' : 'anyhow'}
      onClose={onClose}
      buttons={
        <>
          {make.data ? (
            <>
              <Button onClick={again}>{t('ldap-ui-import-again')}</Button>
              <Button primary onClick={onClose}>
                {t('ui-close')}
              </Button>
            </>
          ) : (
            <Button
              primary
              loading={make.isPending}
              disabled={chosen.size === 0 && t('ldap-ui-import-choose')}
              onClick={() => make.mutate({ params, body: [...chosen].map((dn) => ({ dn })) })}
            >
              {t('ldap-ui-import-chosen', { count: chosen.size })}
            </Button>
          )}
        </>
      }
    >
      <Problem text={make.error && wordsOf(make.error)} />
      {make.data ? (
        <ImportReport report={make.data} />
      ) : (
        <>
          <SearchBox label={t('ldap-ui-import-search')} value={keyword} onSearch={setKeyword} />
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : query.data ? (
            <EntryTable entries={found} chosen={chosen} choose={choose} />
          ) : (
            <Skeleton rows={5} columns={2} />
          )}
          {query.data?.pages[0]?.truncated && !query.hasNextPage && (
            <p className="g-note">{t('ldap-ui-import-truncated')}</p>
          )}
          {query.hasNextPage && (
            <Button small loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('ldap-ui-import-more')}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}

interface EntryTableProps {
  entries: readonly LdapEntry[]
  chosen: ReadonlySet<string>
  choose: (dns: string[], on: boolean) => void
}

function EntryTable({ entries, chosen, choose }: EntryTableProps) {
  if (entries.length === 0) return <p className={styles.nobody}>{t('ldap-ui-import-nobody')}</p>
  const free = entries.filter(({ imported }) => !imported).map(({ dn }) => dn)
  const picked = free.filter((dn) => chosen.has(dn)).length
  return (
    <Rows label={t('ldap-ui-import-list')}>
      <thead>
        <tr>
          <th>
            <Checkbox
              aria-label={t('ldap-ui-import-all')}
              disabled={free.length === 0}
              checked={picked > 0 && picked === free.length}
              indeterminate={picked > 0 && picked < free.length}
              onChange={(event) => choose(free, event.target.checked)}
            />
          </th>
          <th>{t('ldap-ui-name')}</th>
          <th className="g-rows-wide">{t('ldap-ui-email')}</th>
          <th>{t('ldap-ui-state')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.dn}>
            <td>
              <Checkbox
                aria-label={t('ldap-ui-import-pick', { name: entry.userName || entry.dn })}
                disabled={entry.imported}
                checked={entry.imported || chosen.has(entry.dn)}
                onChange={(event) => choose([entry.dn], event.target.checked)}
              />
            </td>
            <td>
              {entry.userName} <span className="g-faint">{entry.nickname}</span>
              <small>{entry.dn}</small>
            </td>
            <td className="g-rows-wide">{entry.email}</td>
            <td>{stateOf(entry)}</td>
          </tr>
        ))}
      </tbody>
    </Rows>
  )
}

function stateOf({ imported, disabled }: LdapEntry): string {
  const words = [imported && t('ldap-ui-import-there'), disabled && t('ldap-ui-import-disabled')].filter(Boolean)
  return words.join(', ')
}
