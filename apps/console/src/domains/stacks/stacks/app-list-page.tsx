import { stacks } from '@gantry/contract/stacks/stacks'
import { Select } from 'antd'
import { imports } from '@gantry/contract/blueprints/imports'
import { StackState } from '@gantry/contract/stacks/states'
import { t } from '../../../api/language.ts'
import { useAsked } from '../../../ui/asked.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { RefreshButton } from '../../../ui/table/refresh-button.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { ApplicationFilters } from './application-filters.tsx'
import { ServiceList } from './service-list.tsx'
import { StackList, useStacks } from './stack-list.tsx'
import styles from './stacks.module.css'

const CreateStackDialog = later(async () => (await import('./create-stack-dialog.tsx')).CreateStackDialog)

/** A team's applications: by stacks, or as one list of services. */
export function AppListPage() {
  const go = useGo()
  const creating = useDialog<{ envId?: string }>()
  const create = (envId?: string) => creating.show(envId === undefined ? {} : { envId })
  useAsked('create', () => create())
  return (
    <Page
      title={t('route-app-list')}
      about={t('stacks-ui-about')}
      actions={
        <>
          <Button icon="upload" needs={imports.create} onClick={() => go(to('stack-import'))}>
            {t('imports-ui-open')}
          </Button>
          <Button primary icon="add" needs={stacks.create} onClick={() => create()}>
            {t('stacks-ui-create')}
          </Button>
        </>
      }
    >
      <Tabs
        tabs={[
          { key: 'stacks', label: t('stacks-ui-stacks'), content: () => <TeamStacks create={create} /> },
          { key: 'services', label: t('stacks-ui-services'), content: () => <ServiceList /> },
        ]}
      />
      {creating.open && <CreateStackDialog {...creating.open} onClose={creating.hide} />}
    </Page>
  )
}

/** The stacks of a team, on one cluster or on all. */
function TeamStacks({ create }: { create: (envId?: string) => void }) {
  const teamId = useTeamId()
  const list = useListState('app-list', {
    filters: { env: 'all', state: 'all', productId: '', type: 'all', osType: 'all' },
  })
  const { env: envId = 'all', ...filters } = list.query
  const query = useStacks({ params: { teamId, envId: String(envId) }, query: filters })
  return (
    <div className={styles.team}>
      <div className="g-bar">
        <SearchBox label={t('stacks-ui-search')} value={list.keyword} onSearch={list.setKeyword} />
        <Select
          aria-label={t('stacks-ui-state')}
          prefix={<span className="g-faint">{t('stacks-ui-state')}</span>}
          value={list.filters['state'] ?? 'all'}
          popupMatchSelectWidth={false}
          options={[
            { value: 'all', label: t('ui-any') },
            ...StackState.options.map((value) => ({ value, label: t(`state-${value}`) })),
          ]}
          onChange={(value) => list.setFilter('state', value)}
        />
        <ApplicationFilters list={list} />
        <RefreshButton query={query} />
      </div>
      <StackList
        query={query}
        list={list}
        empty={
          <EmptyState
            type="other"
            title={t('stacks-ui-none')}
            memo={t('stacks-ui-none-memo')}
            add={{
              label: t('stacks-ui-create'),
              needs: stacks.create,
              onClick: () => create(envId === 'all' ? undefined : String(envId)),
            }}
          />
        }
      />
    </div>
  )
}
