import { type ReleaseDetails, releases } from '@gantry/contract/helm/releases'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { ObjectChanges } from './object-changes.tsx'

/** Revisions, the newest first, with the changes of each and a rollback to it. */
export function ReleaseHistory({ release, busy }: { release: ReleaseDetails; busy: string | false }) {
  const teamId = useTeamId()
  const { id, name, cluster } = release
  const rollback = useWrite(releases.rollback, { done: () => t('helm-ui-rollback-started'), quiet: true })
  const ask = (revision: number) =>
    confirm({
      title: t('helm-ui-rollback-title', { name, revision }),
      text: t('helm-ui-rollback-text'),
      ok: t('helm-ui-rollback'),
      run: () => rollback.mutateAsync({ params: { id, tenantId: teamId }, query: { cluster, revision } }),
    })
  if (release.history.length === 0) return <p className="g-faint">{t('helm-ui-nothing')}</p>
  return release.history.map(({ revision, status, chart, version, description, at, objects }) => (
    <Section
      key={revision}
      title={`${t('helm-ui-revision')} ${revision}: ${status}`}
      about={
        <>
          {chart} {version} · <Time at={at} /> · <span translate="no">{description}</span>
        </>
      }
      actions={
        status !== 'deployed' && (
          <Button needs={releases.rollback} disabled={busy} onClick={() => void ask(revision)}>
            {t('helm-ui-rollback')}
          </Button>
        )
      }
    >
      <ObjectChanges objects={objects} />
    </Section>
  ))
}
