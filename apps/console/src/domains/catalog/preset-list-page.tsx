import { releases } from '@gantry/contract/blueprints/releases'
import { Select } from 'antd'
import { catalogs, catalogTags, type TeamCatalog } from '@gantry/contract/catalog/catalogs'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { GoTo, to, useGo, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { RefreshButton } from '../../ui/table/refresh-button.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { CatalogImage } from './catalog-image.tsx'
import { tagOptions } from './tag-options.ts'
import styles from './catalog.module.css'

/** The preset services that the team may deploy. */
export function PresetListPage() {
  const tenant = useTeamId()
  const list = useListState('persetService', { filters: { tag: 'all' }, pageSize: 20 })
  const query = useRead(catalogs.ofTeam, { params: { tenant }, query: list.query })
  const tags = useRead(catalogTags.list)
  const { data, error } = query
  return (
    <Page title={t('route-persetService')} about={t('catalog-ui-team-about')}>
      <div className={styles.list}>
        <div className="g-bar">
          <SearchBox label={t('catalog-ui-search')} value={list.keyword} onSearch={list.setKeyword} />
          <Select
            aria-label={t('catalog-ui-tag')}
            prefix={<span className="g-faint">{t('catalog-ui-tag')}</span>}
            value={list.filters['tag'] ?? 'all'}
            popupMatchSelectWidth={false}
            options={tagOptions(tags.data)}
            onChange={(value) => list.setFilter('tag', value)}
          />
          <RefreshButton query={query} />
        </div>
        {error !== null && <Failed error={error} retry={() => void query.refetch()} />}
        {data === undefined && !error && <Skeleton rows={6} columns={3} />}
        {data?.totalSize === 0 &&
          (list.narrowed ? (
            <div className="g-empty">
              <h2>{t('ui-nothing-matches')}</h2>
              <p>{t('ui-nothing-matches-memo')}</p>
              <Button onClick={list.clear}>{t('ui-clear-filters')}</Button>
            </div>
          ) : (
            <EmptyState title={t('catalog-ui-team-none')} memo={t('catalog-ui-team-none-memo')} />
          ))}
        {data !== undefined && data.totalSize > 0 && (
          <>
            <ul className={styles.cards}>
              {data.items.map((catalog) => (
                <li key={catalog.id}>
                  <PresetCard catalog={catalog} />
                </li>
              ))}
            </ul>
            <Pager list={list} total={data.totalSize} truncated={data.truncated} />
          </>
        )}
      </div>
    </Page>
  )
}

function PresetCard({ catalog }: { catalog: TeamCatalog }) {
  const go = useGo()
  const { id, name, description, tags, newest, versionNum, stackNum } = catalog
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <CatalogImage catalog={catalog} size={32} />
        <h2>
          <GoTo to={to('preset-version', { catalog_id: id })}>{name}</GoTo>
        </h2>
      </div>
      {tags.length > 0 && (
        <div className={styles.tags}>
          {tags.map((tag) => (
            <span key={tag.id} className="g-tag">
              {tag.name}
            </span>
          ))}
        </div>
      )}
      <p className={styles.about}>{description}</p>
      <div className={styles.foot}>
        <span>
          {newest && t('catalog-ui-newest', { version: newest.version })}
          {versionNum > 1 && ` · ${t('catalog-ui-version-num', { count: versionNum })}`}
          {stackNum > 0 && ` · ${t('catalog-ui-stack-num', { count: stackNum })}`}
        </span>
        <Button
          icon="play"
          needs={releases.deploy}
          label={t('catalog-ui-deploy-named', { name })}
          onClick={() => go(to('preset-deploy', { catalog_id: id, catalog_name: name }))}
        >
          {t('catalog-ui-deploy')}
        </Button>
      </div>
    </article>
  )
}
