import type { DryRun } from '@gantry/contract/helm/releases'
import { t } from '../../../api/language.ts'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { Section } from '../../../ui/page.tsx'
import { ObjectChanges } from '../releases/object-changes.tsx'

const hardOf = (value: number | null): string | number => value ?? t('helm-ui-no-limit')

/** What a deployment would change. */
export function DryRunView({ dryRun }: { dryRun: DryRun }) {
  const { findings, hooks, quota, notes } = dryRun
  const changes = dryRun.objects.filter(({ change }) => change !== 'same')
  return (
    <Section title={t('helm-ui-changes')} about={t(dryRun.upgrade ? 'helm-ui-is-upgrade' : 'helm-ui-is-install')}>
      {findings.length > 0 && (
        <div className="g-note g-note-bad" role="alert">
          <strong>{t('helm-ui-findings')}</strong>
          <ul>
            {findings.map(({ kind, namespace, name, reason }) => (
              <li key={`${kind} ${namespace} ${name}`}>
                <span translate="no">{`${kind} ${namespace === '' ? name : `${namespace}/${name}`}`}</span>:{' '}
                {t(`helm-ui-finding-${reason}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {changes.length === 0 ? <p>{t('helm-ui-changes-none')}</p> : <ObjectChanges objects={changes} />}
      {hooks.length > 0 && (
        <>
          <h3>{t('helm-ui-hooks')}</h3>
          <ul>
            {hooks.map(({ kind, name, events }) => (
              <li key={`${kind} ${name}`}>
                <span translate="no">{`${kind} ${name} (${events.join(', ')})`}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{t('helm-ui-quota')}</h3>
      {quota.before && quota.after ? (
        <>
          <p>
            {t('helm-ui-quota-cpu', {
              before: quota.before.cpu,
              after: quota.after.cpu,
              hard: hardOf(quota.hard.cpu),
            })}
          </p>
          <p>
            {t('helm-ui-quota-memory', {
              before: quota.before.memory,
              after: quota.after.memory,
              hard: hardOf(quota.hard.memory),
            })}
          </p>
          <Problem text={quota.problem} />
        </>
      ) : (
        <p className="g-faint">{t('helm-ui-quota-unknown')}</p>
      )}
      {notes !== '' && (
        <>
          <h3>{t('helm-ui-notes')}</h3>
          <pre>{notes}</pre>
        </>
      )}
    </Section>
  )
}
