import { harbors, type HarborInfo } from '@gantry/contract/harbor/servers'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { bytes, count } from '../../ui/format.ts'
import { to, useParam } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ProjectList } from './project-list.tsx'

/** One Harbor: its projects with their teams, and its state. */
export function HarborPage() {
  const id = Number(useParam('harbor_id'))
  const query = useRead(harbors.get, { params: { id } })
  const name = query.data?.name
  return (
    <Page
      title={name ?? '…'}
      about={query.data && <Copyable text={query.data.url} />}
      crumbs={[{ label: t('route-sys-registry'), to: to('sys-registry') }]}
      tabs={[
        { key: 'projects', label: t('harbor-ui-projects'), content: () => <ProjectList harborId={id} /> },
        { key: 'info', label: t('harbor-ui-info'), content: () => <Info id={id} /> },
      ]}
    >
      {query.error !== null && query.data === undefined && <Loaded query={query}>{() => null}</Loaded>}
    </Page>
  )
}

function Info({ id }: { id: number }) {
  const query = useRead(harbors.info, { params: { id } })
  return <Loaded query={query}>{(info) => <Facts facts={factsOf(info)} />}</Loaded>
}

const factsOf = (info: HarborInfo) => [
  {
    label: t('harbor-ui-version'),
    value: info.supported ? info.version : `${info.version} · ${t('harbor-ui-version-unknown')}`,
  },
  {
    label: t('harbor-ui-health'),
    value: (
      <StateBadge
        state={info.healthy ? 'healthy' : 'unhealthy'}
        text={t(info.healthy ? 'harbor-ui-healthy' : 'harbor-ui-unhealthy')}
      />
    ),
  },
  { label: t('harbor-ui-projects'), value: count(info.projects) },
  { label: t('harbor-ui-repositories'), value: count(info.repositories) },
  { label: t('harbor-ui-used'), value: bytes(info.used) },
  {
    label: t('harbor-ui-storage'),
    value:
      info.storage === null
        ? t('harbor-ui-storage-unknown')
        : t('harbor-ui-storage-free', { free: bytes(info.storage.free), total: bytes(info.storage.total) }),
  },
  { label: t('harbor-ui-writes'), value: t(info.readOnly ? 'harbor-ui-read-only' : 'harbor-ui-writable') },
  {
    label: t('harbor-ui-components'),
    wide: true,
    value: (
      <span className="g-mono">
        {info.components
          .map(({ name, healthy, problem }) => (healthy ? name : `${name}: ${problem || t('harbor-ui-unhealthy')}`))
          .join(', ')}
      </span>
    ),
  },
]
