import { releases } from '@gantry/contract/blueprints/releases'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { type Decision, useReleaseDecision } from './use-release-decision.ts'
import styles from './release.module.css'

/** The progress of an open release, and the decision about the whole release. */
export function ReleaseBar({ stack }: { stack: Stack }) {
  const { teamId, envId, name: stackName } = stack
  const input = { params: { teamId, envId, stackName } }
  const isReleased = stack.blueprintId !== null || stack.inRelease
  const query = useRead(releases.latest, input, { enabled: isReleased, keep: false })
  const ask = useReleaseDecision(input.params)
  const release = query.data
  if (!isReleased || release?.state !== 'open') return null
  const { version, ready, made, changed, removed } = release
  const failed = release.services.find(({ state }) => state === 'failed')
  const button = (decision: Decision, primary: boolean) => (
    <Button
      primary={primary}
      icon={decision === 'confirm' ? 'check' : 'rollback'}
      needs={releases[decision]}
      onClick={() => void ask(release, decision)}
    >
      {t(`blueprints-ui-release-${decision}`)}
    </Button>
  )
  return (
    <section className={styles.bar} aria-label={t('blueprints-ui-release')}>
      <div role="status">
        <p>
          <b>{t(`blueprints-ui-release-${failed ? 'failed' : ready ? 'ready' : 'busy'}`, { version })}</b>
        </p>
        <p className="g-faint">
          {failed
            ? `${failed.name}: ${failed.message}`
            : t('blueprints-ui-release-about', { made: made.length, changed: changed.length, removed: removed.length })}
        </p>
      </div>
      <div className="g-row">
        {ready && button('confirm', true)}
        {ready && button('rollBack', false)}
        {!ready && button('cancel', failed !== undefined)}
      </div>
    </section>
  )
}
