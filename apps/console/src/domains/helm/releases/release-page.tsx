import { type ReleaseDetails, releases } from '@gantry/contract/helm/releases'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts, Loaded } from '../../../ui/detail.tsx'
import { confirmDelete } from '../../../ui/feedback/dialog.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { ReleaseHistory } from './release-history.tsx'
import { ReleaseState } from './release-state.tsx'

export function ReleasePage({ id, cluster }: { id: number; cluster: string }) {
  const teamId = useTeamId()
  const query = useRead(releases.get, { params: { id, tenantId: teamId }, query: { cluster } })
  return <Loaded query={query}>{(release) => <OneRelease release={release} />}</Loaded>
}

function OneRelease({ release }: { release: ReleaseDetails }) {
  const teamId = useTeamId()
  const go = useGo()
  const { id, name, cluster, namespace } = release
  const remove = useWrite(releases.remove, { done: () => t('helm-ui-remove-started'), quiet: true })
  const isBusy = !['deployed', 'failed'].includes(release.state)
  const busy = isBusy && t(`helm-ui-release-state-${release.state}`)
  const askRemove = () =>
    confirmDelete({
      title: t('helm-ui-remove-title', { name }),
      goes: [t('helm-ui-goes-objects', { namespace })],
      typed: name,
      run: async () => {
        await remove.mutateAsync({ params: { id, tenantId: teamId }, query: { cluster } })
        go(to('helm-list', { team_id: teamId }))
      },
    })
  return (
    <Page
      title={name}
      about={<ReleaseState state={release.state} />}
      crumbs={[{ label: t('route-helm-list'), to: to('helm-list', { team_id: teamId }) }]}
      actions={
        <>
          <Button
            primary
            icon="upload"
            needs={releases.deploy}
            disabled={busy}
            onClick={() => go(to('helm-deploy', { team_id: teamId }, { release: id, cluster }))}
          >
            {t('helm-ui-upgrade')}
          </Button>
          <Button icon="delete" danger needs={releases.remove} disabled={busy} onClick={() => void askRemove()}>
            {t('ui-delete')}
          </Button>
        </>
      }
      tabs={[
        { key: 'objects', label: t('helm-ui-objects'), content: () => <Live live={release.live} /> },
        {
          key: 'history',
          label: t('helm-ui-history'),
          content: () => <ReleaseHistory release={release} busy={busy} />,
        },
        {
          key: 'values',
          label: t('helm-ui-values'),
          content: () => <Text label={t('helm-ui-values')} text={release.values} none={t('helm-ui-no-values')} />,
        },
        {
          key: 'manifest',
          label: t('helm-ui-manifest'),
          content: () => <Text label={t('helm-ui-manifest')} text={release.manifest} />,
        },
        {
          key: 'notes',
          label: t('helm-ui-notes'),
          content: () => <Text label={t('helm-ui-notes')} text={release.notes} />,
        },
      ]}
    >
      {[release.message, release.problem].map(
        (words) =>
          words !== '' && (
            <p key={words} className="g-note g-note-bad" role="alert">
              {words}
            </p>
          ),
      )}
      <Facts
        facts={[
          { label: t('helm-ui-chart'), value: `${release.chart} ${release.version}` },
          { label: t('helm-ui-repository'), value: release.repository },
          { label: t('helm-ui-stack'), value: release.stack },
          { label: t('helm-ui-cluster'), value: release.clusterName },
          { label: t('helm-ui-actor'), value: release.actor },
          { label: t('helm-ui-updated'), value: <Time at={release.updatedAt} /> },
        ]}
      />
    </Page>
  )
}

const Text = ({ label, text, none }: { label: string; text: string; none?: string }) =>
  text === '' ? (
    <p className="g-faint">{none ?? t('helm-ui-nothing')}</p>
  ) : (
    <pre ref={scrollStop} aria-label={label}>
      {text}
    </pre>
  )

const Live = ({ live }: Pick<ReleaseDetails, 'live'>) =>
  live.length === 0 ? (
    <p className="g-faint">{t('helm-ui-nothing')}</p>
  ) : (
    <Facts
      facts={live.map(({ kind, name, found, ready }) => ({
        label: `${kind} ${name}`,
        value: found ? ready || t('helm-ui-there') : t('helm-ui-gone'),
      }))}
    />
  )
