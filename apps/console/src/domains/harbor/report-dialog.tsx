import { harborContents, type ScanFinding } from '@gantry/contract/harbor/contents'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { atHand, ResourceTable } from '../../ui/table/resource-table.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { Time } from '../../ui/time.tsx'
import type { ImageDialogProps } from './layers-dialog.tsx'

/** The findings of an image's last scan, the worst first. */
export function ReportDialog({ harborId, repo, image: { digest, tags }, onClose }: ImageDialogProps) {
  const [keyword, setKeyword] = useState('')
  const query = useRead(harborContents.report, { params: { id: harborId }, query: { repo, digest, keyword } })
  return (
    <Dialog
      title={t('harbor-ui-report-of', { name: tags[0]?.name ?? digest.slice(0, 19) })}
      width={960}
      onClose={onClose}
    >
      <Loaded query={query}>
        {({ items, totalSize, scanner, at }) => (
          <>
            <p className="g-faint">
              {t('harbor-ui-report-by', { scanner: scanner || '–' })} · <Time at={at} />
            </p>
            <ResourceTable
              label={t('harbor-ui-scan')}
              query={atHand(items)}
              toolbar={<SearchBox value={keyword} onSearch={setKeyword} label={t('harbor-ui-report-search')} />}
              rowKey={(row) => `${row.id} ${row.package} ${row.version}`}
              columns={[
                { key: 'id', title: t('harbor-ui-report-id'), cell: nameOf, mono: true },
                {
                  key: 'severity',
                  title: t('harbor-ui-report-severity'),
                  width: 104,
                  cell: ({ severity }) => t(`harbor-ui-severity-${severity}`),
                },
                { key: 'package', title: t('harbor-ui-report-package'), cell: (row) => row.package, mono: true },
                { key: 'version', title: t('harbor-ui-report-version'), cell: (row) => row.version, mono: true },
                { key: 'fixedIn', title: t('harbor-ui-report-fixed'), cell: (row) => row.fixedIn || '–', mono: true },
              ]}
              empty={{ type: 6, title: t('harbor-ui-report-none'), memo: t('harbor-ui-report-none-memo') }}
            />
            {totalSize > items.length && (
              <p className="g-note">{t('harbor-ui-report-worst', { shown: items.length, total: totalSize })}</p>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

const nameOf = ({ id, link, description }: ScanFinding) =>
  link === '' ? (
    <span title={description}>{id}</span>
  ) : (
    <a href={link} title={description} target="_blank" rel="noreferrer">
      {id}
    </a>
  )
